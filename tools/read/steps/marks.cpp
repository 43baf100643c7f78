// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/marks.h"

#include "foundation/file.h"
#include "read/steps/event_fields.h"
#include "read/steps/value_reader.h"

#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

Mark read_text(ValueReader &reader) {
  TextMark mark;
  uint64_t size = 0;
  std::span<const uint8_t> bytes;
  if (!reader.sleb(&mark.ip) || !reader.uleb(&size) || !reader.take(size, &bytes))
    return TextMark();
  std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.ends_with('\n'))
    text.remove_suffix(1);
  mark.text = printable(text);
  return mark;
}

Mark read_raw(ValueReader &reader) {
  RawMark mark;
  uint64_t size = 0;
  std::span<const uint8_t> bytes;
  if (!reader.uleb(&size) || size < sizeof mark.number || !reader.take(size, &bytes))
    return TextMark();
  std::memcpy(&mark.number, bytes.data(), sizeof mark.number);
  mark.data.assign(bytes.begin() + sizeof mark.number, bytes.end());
  return mark;
}

Mark read_stack(ValueReader &reader) {
  StackMark mark;
  for (uint64_t address = 0, more; reader.sleb(&more) && more != 0;)
    mark.addresses.push_back(address += more);
  return mark;
}

Mark read_repeats(ValueReader &reader) {
  RepeatsMark mark;
  uint64_t id = 0;
  if (!reader.uleb(&id) || !reader.sleb(&mark.parent) || !reader.uleb(&mark.count) ||
      !reader.uleb(&mark.ticks))
    return TextMark();
  mark.id = (uint32_t)id;
  return mark;
}

Mark read_probe(ValueReader &reader) {
  auto event = read_probe_event(reader);
  return event ? Mark(std::move(*event)) : Mark(TextMark());
}

} // namespace

Step::Kind mark_kind(std::span<const uint64_t> values) {
  switch (values.empty() ? 0 : (uint8_t)~values[0]) {
  case NOPHOOK_VALUES_TEXT:
    return Step::kText;
  case NOPHOOK_VALUES_RAW:
    return Step::kRaw;
  case NOPHOOK_VALUES_STACK:
    return Step::kStack;
  case NOPHOOK_VALUES_REPEATS:
    return Step::kRepeats;
  case NOPHOOK_VALUES_PROBE:
    return Step::kProbe;
  default:
    return Step::kOther;
  }
}

Mark read_mark(std::span<const uint64_t> words) {
  ValueReader reader(words);
  uint8_t format = 0;
  reader.byte(&format);
  switch (format) {
  case NOPHOOK_VALUES_TEXT:
    return read_text(reader);
  case NOPHOOK_VALUES_RAW:
    return read_raw(reader);
  case NOPHOOK_VALUES_STACK:
    return read_stack(reader);
  case NOPHOOK_VALUES_REPEATS:
    return read_repeats(reader);
  case NOPHOOK_VALUES_PROBE:
    return read_probe(reader);
  default:
    return TextMark();
  }
}

Mark read_mark(const Step &step) {
  if (step.is_off())
    return OtherMark{
        event_kind_name(NOPHOOK_CONTROL_OFF_CPU),
        {{"duration", "", fmt::format("{}.{:03} us", step.off_ns / 1000, step.off_ns % 1000)}}};
  if (step.kind == Step::kOther)
    return OtherMark{event_kind_name(step.id), event_fields(step.id, step.arguments)};
  return read_mark(step.arguments);
}

std::string mark_text(const Mark &mark) {
  if (const auto *text = std::get_if<TextMark>(&mark))
    return text->text;
  if (const auto *raw = std::get_if<RawMark>(&mark)) {
    std::string text = fmt::format("# {:x} buf:", (uint32_t)raw->number);
    for (uint8_t byte : raw->data)
      text += fmt::format(" {:02x}", byte);
    return text;
  }
  const auto *other = std::get_if<OtherMark>(&mark);
  if (!other)
    return "";
  std::string text = other->name + ":";
  for (const NamedValue &field : other->fields)
    text += fmt::format(" {}={}", field.name, field.text);
  return text;
}

} // namespace nophook
