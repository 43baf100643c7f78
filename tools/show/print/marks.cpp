// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the formats of marks.

#include "show/print/marks.h"

#include "foundation/file.h"
#include "show/print/value_reader.h"

#include <cstring>
#include <fmt/format.h>

namespace nophook {

Mark read_mark(std::span<const uint64_t> words) {
  Mark mark;
  ValueReader reader(words);
  uint8_t format = 0;
  uint64_t size = 0;
  std::span<const uint8_t> bytes;
  reader.byte(&format);
  if (format == NOPHOOK_VALUES_TEXT && reader.sleb(&mark.ip) && reader.uleb(&size) &&
      reader.take(size, &bytes)) {
    std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (text.ends_with('\n'))
      text.remove_suffix(1);
    mark.text = printable(text);
  }
  if (format == NOPHOOK_VALUES_STACK)
    for (uint64_t address = 0, more; reader.sleb(&more) && more != 0;)
      mark.stack.push_back(address += more);
  uint64_t id = 0;
  Mark::Repeats repeats;
  if (format == NOPHOOK_VALUES_REPEATS && reader.uleb(&id) && reader.sleb(&repeats.parent) &&
      reader.uleb(&repeats.count) && reader.uleb(&repeats.ticks)) {
    mark.repeats = repeats;
    mark.repeats.id = (uint32_t)id;
  }
  if (format == NOPHOOK_VALUES_PROBE)
    mark.event = read_probe_event(reader);
  int32_t number;
  if (format == NOPHOOK_VALUES_RAW && reader.uleb(&size) && size >= sizeof number &&
      reader.take(size, &bytes)) {
    std::memcpy(&number, bytes.data(), sizeof number);
    mark.number = number;
    mark.data.assign(bytes.begin() + sizeof number, bytes.end());
  }
  return mark;
}

std::string mark_text(const Mark &mark) {
  if (!mark.number)
    return mark.text;
  std::string text = fmt::format("# {:x} buf:", (uint32_t)*mark.number);
  for (uint8_t byte : mark.data)
    text += fmt::format(" {:02x}", byte);
  return text;
}

} // namespace nophook
