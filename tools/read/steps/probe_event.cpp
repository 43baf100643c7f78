// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a description and its record, and makes the kernel's text of the values.

#include "read/steps/probe_event.h"

#include "foundation/file.h"

#include <nophook/kernel_events.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

using Bytes = std::span<const uint8_t>;

// An argument's declaration, `NAME:TYPE[COUNT]`
struct Declaration {
  std::string_view name, type;
  uint32_t count = 0;
};

Declaration read_declaration(std::string_view word) {
  Declaration declaration;
  size_t colon = std::min(word.find(':'), word.size());
  declaration.name = word.substr(0, colon);
  word.remove_prefix(std::min(colon + 1, word.size()));
  size_t bracket = std::min(word.find('['), word.size());
  declaration.type = word.substr(0, bracket);
  word.remove_prefix(std::min(bracket + 1, word.size()));
  std::from_chars(word.data(), word.data() + word.size(), declaration.count);
  return declaration;
}

bool is_text(std::string_view type) {
  return type == "string" || type == "ustring";
}

// Whether a type is an address, which readers show as a symbol.
bool is_symbol(std::string_view type) {
  return type == "symbol" || type == "symstr";
}

// Size of a type; 0: it is unknown.
uint32_t type_bytes(std::string_view type) {
  if (is_text(type))
    return 4;
  if (is_symbol(type))
    return 8;
  if (type == "char")
    return 1;
  for (uint32_t bytes : {1, 2, 4, 8})
    for (char sign : {'u', 's', 'x'})
      if (type == fmt::format("{}{}", sign, bytes * 8))
        return bytes;
  return 0;
}

std::string element_text(std::string_view type, Bytes record, Bytes place) {
  uint64_t value = 0;
  std::memcpy(&value, place.data(), place.size());
  if (is_text(type)) {
    uint64_t at = value & 0xffff, bytes = value >> 16;
    if (!bytes || at + bytes > record.size())
      return "(fault)";
    return fmt::format("\"{}\"",
                       printable({reinterpret_cast<const char *>(record.data()) + at, bytes - 1}));
  }
  if (type == "char")
    return fmt::format("'{}'", printable(std::string(1, (char)value)));
  if (type[0] == 'x')
    return fmt::format("{:#x}", value);
  uint32_t unused = 64 - 8 * (uint32_t)place.size();
  if (type[0] == 's' && !is_symbol(type))
    return fmt::format("{}", (int64_t)(value << unused) >> unused);
  return fmt::format("{}", value);
}

// Reads the next argument, whose bytes are at `*at` of the record.
bool read_argument(const Declaration &declaration, Bytes record, size_t *at,
                   ProbeEvent::Argument *argument) {
  size_t bytes = type_bytes(declaration.type), count = std::max(declaration.count, 1u);
  if (!bytes || count > record.size() || *at > record.size() || bytes * count > record.size() - *at)
    return false;
  argument->name = declaration.name;
  for (size_t i = 0; i < count; i++, *at += bytes)
    argument->text +=
        (i ? "," : "") + element_text(declaration.type, record, record.subspan(*at, bytes));
  if (declaration.count)
    argument->text = "{" + argument->text + "}";
  if (is_symbol(declaration.type) && !declaration.count) {
    argument->is_quoted = declaration.type == "symstr";
    argument->address.emplace();
    std::memcpy(&*argument->address, record.data() + *at - bytes, bytes);
  }
  return true;
}

uint64_t word_at(Bytes record, size_t offset) {
  uint64_t word;
  std::memcpy(&word, record.data() + offset, sizeof word);
  return word;
}

} // namespace

std::optional<ProbeEvent> read_probe_event(ValueReader &reader) {
  ProbeEvent event;
  uint8_t kind;
  uint64_t size, faults, number;
  Bytes text, record;
  if (!reader.byte(&kind) || !reader.uleb(&size) || !reader.take(size, &text) ||
      !reader.uleb(&size) || !reader.take(size, &record))
    return {};
  event.is_return = kind == 'r';
  size_t at = event.is_return ? sizeof(KernelReturnProbe) : sizeof(KernelProbe);
  if (record.size() < at)
    return {};
  event.ip = word_at(record, offsetof(KernelProbe, ip));
  event.ret_ip = event.is_return ? word_at(record, offsetof(KernelReturnProbe, ret_ip)) : 0;
  event.record.assign(record.begin(), record.end());
  std::string_view words(reinterpret_cast<const char *>(text.data()), text.size());
  for (bool is_first = true; !words.empty(); is_first = false) {
    std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (is_first) {
      size_t slash = std::min(word.find('/'), word.size());
      event.group = word.substr(0, slash);
      event.name = word.substr(std::min(slash + 1, word.size()));
      continue;
    }
    ProbeEvent::Argument argument;
    if (!read_argument(read_declaration(word), record, &at, &argument))
      return {};
    event.arguments.push_back(argument);
  }
  if (reader.uleb(&faults))
    for (; faults && reader.uleb(&number) && number < event.arguments.size(); faults--) {
      event.arguments[number].text = "(fault)";
      event.arguments[number].address.reset();
    }
  return event;
}

std::string probe_event_text(const ProbeEvent &event, const SymbolText &symbol,
                             const SymbolText &function) {
  std::string text = event.is_return
                         ? fmt::format("{}: ({} <- {})", event.name, symbol(event.ret_ip, true),
                                       function(event.ip, false))
                         : fmt::format("{}: ({})", event.name, symbol(event.ip, false));
  for (const ProbeEvent::Argument &argument : event.arguments) {
    std::string_view quote = argument.address && argument.is_quoted ? "\"" : "";
    text += fmt::format(" {}={}{}{}", argument.name, quote,
                        argument.address ? symbol(*argument.address, false) : argument.text, quote);
  }
  return text;
}

} // namespace nophook
