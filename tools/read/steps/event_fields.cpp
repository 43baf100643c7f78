// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/event_fields.h"

#include "foundation/file.h"
#include "read/steps/value_reader.h"

#include <nophook/event_kinds.h>

#include <fmt/format.h>
#include <optional>

namespace nophook {

namespace {

struct EventKind {
  uint32_t number;
  const char *name, *fields;
};

constexpr EventKind kKinds[] = {
#define NOPHOOK_ROW(NAME, number, role, name, fields) {number, name, fields},
    NOPHOOK_EVENT_KINDS(NOPHOOK_ROW)
#undef NOPHOOK_ROW
};

const EventKind *find_kind(uint32_t number) {
  for (const EventKind &kind : kKinds)
    if (kind.number == number)
      return &kind;
  return nullptr;
}

std::optional<std::string> field_text(char type, ValueReader &reader) {
  uint64_t number = 0;
  std::span<const uint8_t> bytes;
  switch (type) {
  case 'u':
    return reader.uleb(&number) ? std::optional(fmt::format("{}", number)) : std::nullopt;
  case 's':
    return reader.sleb(&number) ? std::optional(fmt::format("{}", (int64_t)number)) : std::nullopt;
  case 'x':
    return reader.uleb(&number) ? std::optional(fmt::format("{:#x}", number)) : std::nullopt;
  case 't':
    if (!reader.uleb(&number) || !reader.take(number, &bytes))
      return std::nullopt;
    return printable({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
  return std::nullopt;
}

} // namespace

const char *event_kind_name(uint32_t number) {
  const EventKind *kind = find_kind(number);
  return kind ? kind->name : "unknown";
}

std::vector<NamedValue> event_fields(uint32_t number, std::span<const uint64_t> words) {
  std::vector<NamedValue> fields;
  const EventKind *kind = find_kind(number);
  ValueReader reader(words);
  std::string_view schema = kind ? kind->fields : "";
  while (!schema.empty()) {
    const std::string_view field = schema.substr(0, schema.find(' '));
    schema.remove_prefix(std::min(schema.size(), field.size() + 1));
    const size_t colon = field.find(':');
    auto text = field_text(field[colon + 1], reader);
    if (!text)
      break;
    fields.push_back({std::string(field.substr(0, colon)), "", std::move(*text)});
  }
  return fields;
}

std::vector<uint64_t> text_field(std::string_view text) {
  std::vector<uint8_t> bytes;
  uint64_t size = text.size();
  for (; size > 0x7f; size >>= 7)
    bytes.push_back((uint8_t)(size | 0x80));
  bytes.push_back((uint8_t)size);
  bytes.insert(bytes.end(), text.begin(), text.end());
  std::vector<uint64_t> words((bytes.size() + NOPHOOK_VALUES_PER_WORD - 1) /
                              NOPHOOK_VALUES_PER_WORD);
  for (size_t i = 0; i < bytes.size(); i++)
    words[i / NOPHOOK_VALUES_PER_WORD] |= (uint64_t)bytes[i] << 8 * (i % NOPHOOK_VALUES_PER_WORD);
  for (uint64_t &word : words)
    word = ~word;
  return words;
}

} // namespace nophook
