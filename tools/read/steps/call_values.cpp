// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads kept registers and memory, and asks the prototype for the places of arguments.

#include "read/steps/call_values.h"

#include "read/steps/value_reader.h"
#include "read/steps/value_text.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace nophook {

namespace {

// An address for stack arguments, whose real one is unknown: it is no address of a process.
constexpr uint64_t kStack = uint64_t{1} << 63;

constexpr std::array<const char *, NOPHOOK_COUNTERS + 1> kCounters = {"", NOPHOOK_COUNTER_NAMES};

// Skips the items in front of a call's values; returns their format, or 0.
uint8_t read_head(ValueReader &reader, std::vector<CounterGrowth> *counters) {
  uint8_t format = 0, counter = 0;
  uint64_t number;
  if (reader.byte(&format) && format == NOPHOOK_VALUES_TOOK)
    if (!reader.uleb(&number) || !reader.uleb(&number) || !reader.byte(&format))
      return 0;
  if (format != NOPHOOK_VALUES_COUNTERS)
    return format;
  while (reader.byte(&counter) && counter) {
    if (!reader.uleb(&number))
      return 0;
    if (counters && counter < kCounters.size()) // else it is a later version's counter
      counters->push_back({kCounters[counter], number});
  }
  return reader.byte(&format) ? format : 0;
}

// The kept values. Whatever the bytes are, there is an answer and no read outside of them.
class KeptValues {
public:
  explicit KeptValues(std::span<const uint64_t> words) : reader_(words) {
    registers.known_general = registers.known_sse = registers.known_x87 = 0;
    registers.stack_arguments = kStack;
    const uint8_t format = read_head(reader_, nullptr);
    if (format & NOPHOOK_VALUE_REGISTER)
      for (uint8_t head = format; read_whole_register(head);)
        any_ = true, head = next_head();
    else if (format == NOPHOOK_VALUES_CALL)
      while (read_item())
        any_ = true;
  }

  bool any() const { return any_; }

  // The number of known bytes at `address`.
  size_t read(uint64_t address, void *to, size_t bytes) const {
    for (const Chunk &chunk : chunks_)
      if (address - chunk.address < chunk.bytes.size()) {
        auto known = chunk.bytes.subspan(address - chunk.address);
        size_t count = std::min(bytes, known.size());
        std::memcpy(to, known.data(), count);
        return count;
      }
    return 0;
  }

  CallRegisters registers;

private:
  struct Chunk {
    uint64_t address;
    std::span<const uint8_t> bytes;
  };

  template <size_t Count, size_t Size>
  bool read_register(std::array<std::array<uint8_t, Size>, Count> *set, uint32_t *known,
                     size_t number, uint64_t size) {
    std::span<const uint8_t> bytes;
    if (number >= Count || size > Size || !reader_.take(size, &bytes))
      return false;
    std::ranges::copy(bytes, (*set)[number].begin());
    *known |= 1u << number;
    return true;
  }

  uint8_t next_head() {
    uint8_t head;
    return reader_.byte(&head) ? head : 0;
  }

  // Reads a register in the form of NOPHOOK_VALUE_REGISTER, behind its head; false: there is none.
  bool read_whole_register(uint8_t head) {
    std::optional<uint64_t> upper;
    if (head >= NOPHOOK_VALUE_UPPER) {
      upper = read_six_bytes();
      head = next_head();
    }
    const size_t number = head - size_t{NOPHOOK_VALUE_REGISTER};
    const std::optional<uint64_t> value = read_six_bytes();
    if (number >= registers.general.size() || !value)
      return false;
    registers.general[number] = upper ? *upper << 48 | (*value & (~uint64_t{0} >> 16)) : *value;
    registers.known_general |= 1u << number;
    return true;
  }

  // Reads six bytes, and extends their sign.
  std::optional<uint64_t> read_six_bytes() {
    std::span<const uint8_t> bytes;
    if (!reader_.take(6, &bytes))
      return {};
    uint64_t value = 0;
    for (size_t i = 0; i < 6; i++)
      value |= (uint64_t)bytes[i] << (16 + 8 * i);
    return (uint64_t)((int64_t)value >> 16);
  }

  bool read_item() {
    uint8_t tag;
    if (!reader_.byte(&tag))
      return false;
    size_t number = tag & ((1 << NOPHOOK_VALUE_SHIFT) - 1);
    uint64_t value = 0, size = 0;
    std::span<const uint8_t> bytes;
    switch (tag >> NOPHOOK_VALUE_SHIFT) {
    case NOPHOOK_VALUE_GENERAL:
      if (number >= registers.general.size() || !reader_.sleb(&value))
        return false;
      registers.general[number] = value;
      registers.known_general |= 1u << number;
      return true;
    case NOPHOOK_VALUE_SSE:
      return reader_.uleb(&size) &&
             read_register(&registers.sse, &registers.known_sse, number, size);
    case NOPHOOK_VALUE_X87:
      return read_register(&registers.x87, &registers.known_x87, number, 10);
    case NOPHOOK_VALUE_STACK:
      if (!reader_.uleb(&value) || !reader_.uleb(&size) || !reader_.take(size, &bytes))
        return false;
      chunks_.push_back({kStack + value, bytes});
      return true;
    case NOPHOOK_VALUE_MEMORY:
      if (!reader_.sleb(&value) || !reader_.uleb(&size) || !reader_.take(size, &bytes))
        return false;
      chunks_.push_back({value, bytes});
      return true;
    default: // the end, or an item of a later version
      return false;
    }
  }

  ValueReader reader_;
  std::vector<Chunk> chunks_;
  bool any_ = false;
};

std::string type_text(const PlacedValue &value) {
  return value.type ? printable(value.type->name) : "";
}

std::string register_text(const KeptValues &kept, unsigned number) {
  return fmt::format("{:#x}", kept.registers.general[number]);
}

} // namespace

std::vector<NamedValue> argument_values(const Prototype *prototype,
                                        std::span<const uint64_t> words) {
  std::vector<NamedValue> values;
  KeptValues kept(words);
  if (!prototype) {
    for (unsigned number : {5, 4, 1, 2, 8, 9})
      if (kept.registers.known_general >> number & 1)
        values.push_back({"", "", register_text(kept, number)});
    return values;
  }
  if (words.empty())
    return values;
  ReadMemory memory = [&](uint64_t address, void *to, size_t bytes) {
    return kept.read(address, to, bytes);
  };
  for (const PlacedValue &parameter : prototype->parameters)
    values.push_back({printable(parameter.name), type_text(parameter),
                      value_text(parameter, kept.registers, memory)});
  return values;
}

std::optional<size_t> argument_position(std::string_view name) {
  size_t position = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), position);
  return error == std::errc() && end == name.data() + name.size() && position > 0
             ? std::optional(position - 1)
             : std::nullopt;
}

const PlacedValue *find_argument(const Prototype &prototype, std::string_view name) {
  const auto parameter = std::ranges::find(prototype.parameters, name, &PlacedValue::name);
  if (parameter != prototype.parameters.end())
    return &*parameter;
  const auto position = argument_position(name);
  return position && *position < prototype.parameters.size() ? &prototype.parameters[*position]
                                                             : nullptr;
}

std::optional<NamedValue> argument_value(const Prototype *prototype,
                                         std::span<const uint64_t> words, std::string_view name) {
  if (words.empty())
    return std::nullopt;
  if (!prototype) {
    const auto position = argument_position(name);
    const std::vector<NamedValue> registers = argument_values(nullptr, words);
    return position && *position < registers.size() ? std::optional(registers[*position])
                                                    : std::nullopt;
  }
  const PlacedValue *parameter = find_argument(*prototype, name);
  if (!parameter)
    return std::nullopt;
  KeptValues kept(words);
  ReadMemory memory = [&](uint64_t address, void *to, size_t bytes) {
    return kept.read(address, to, bytes);
  };
  return NamedValue{std::string(name), type_text(*parameter),
                    value_text(*parameter, kept.registers, memory)};
}

std::optional<NamedValue> result_value(const Prototype *prototype, std::span<const uint64_t> words,
                                       bool hex) {
  KeptValues kept(words);
  if (!kept.any())
    return std::nullopt;
  if (!prototype)
    return kept.registers.known_general & 1
               ? std::optional(NamedValue{"", "", register_text(kept, 0)})
               : std::nullopt;
  if (!prototype->result.type)
    return std::nullopt;
  ReadMemory memory = [&](uint64_t address, void *to, size_t bytes) {
    return kept.read(address, to, bytes);
  };
  ValueLimits limits;
  limits.hex = hex;
  return NamedValue{"", type_text(prototype->result),
                    value_text(prototype->result, kept.registers, memory, limits)};
}

std::vector<CounterGrowth> counter_growth(std::span<const uint64_t> words) {
  std::vector<CounterGrowth> counters;
  ValueReader reader(words);
  read_head(reader, &counters);
  return counters;
}

std::string counter_list(const std::vector<CounterGrowth> &counters) {
  std::string list;
  for (const CounterGrowth &counter : counters) {
    list += list.empty() ? "" : ", ";
    list += counter.name == kCounters[NOPHOOK_COUNTER_TASK_CLOCK]
                ? fmt::format("{}={:.3f} us", counter.name, (double)counter.growth / 1000)
                : fmt::format("{}={}", counter.name, counter.growth);
  }
  return list;
}

std::string argument_list(const std::vector<NamedValue> &values) {
  std::string list;
  for (const NamedValue &value : values) {
    list += list.empty() ? "" : ", ";
    list += value.name.empty() ? value.text : value.name + "=" + value.text;
  }
  return list;
}

} // namespace nophook
