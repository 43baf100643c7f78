// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/call_values.h"

#include "print/value_text.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

// Where stack arguments are, as there is no need to know it: no address of a process.
constexpr uint64_t kStack = uint64_t{1} << 63;

// What was kept. Whatever the bytes are, an answer and no read outside of them.
class KeptValues {
public:
  explicit KeptValues(std::span<const uint64_t> words) {
    bytes_.reserve(words.size() * NOPHOOK_VALUES_PER_WORD);
    for (uint64_t word : words)
      for (unsigned i = 0; i < NOPHOOK_VALUES_PER_WORD; i++)
        bytes_.push_back((uint8_t)(~word >> 8 * i));
    registers.known_general = registers.known_sse = registers.known_x87 = 0;
    registers.stack_arguments = kStack;
    if (take(1) && bytes_[at_ - 1] == NOPHOOK_VALUES_CALL)
      while (read_item())
        any_ = true;
  }

  bool any() const { return any_; }

  // How many of the bytes at `address` are known.
  size_t read(uint64_t address, void *to, size_t bytes) const {
    for (const Chunk &chunk : chunks_)
      if (address - chunk.address < chunk.bytes) {
        size_t from = address - chunk.address, count = std::min(bytes, chunk.bytes - from);
        std::memcpy(to, bytes_.data() + chunk.at + from, count);
        return count;
      }
    return 0;
  }

  CallRegisters registers;

private:
  struct Chunk {
    uint64_t address;
    size_t at, bytes; // in bytes_
  };

  bool take(uint64_t count) {
    if (count > bytes_.size() - at_)
      return false;
    at_ += count;
    return true;
  }

  bool leb(bool is_signed, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && take(1); shift += 7) {
      uint8_t byte = bytes_[at_ - 1];
      *value |= (uint64_t)(byte & 0x7f) << shift;
      if (byte & 0x80)
        continue;
      if (is_signed && byte & 0x40 && shift + 7 < 64)
        *value |= ~uint64_t{0} << (shift + 7);
      return true;
    }
    return false;
  }

  template <size_t Count, size_t Size>
  bool read_register(std::array<std::array<uint8_t, Size>, Count> *set, uint32_t *known,
                     size_t number, uint64_t bytes) {
    if (number >= Count || bytes > Size || !take(bytes))
      return false;
    std::memcpy((*set)[number].data(), bytes_.data() + at_ - bytes, bytes);
    *known |= 1u << number;
    return true;
  }

  bool read_item() {
    if (!take(1))
      return false;
    uint8_t tag = bytes_[at_ - 1];
    size_t number = tag & ((1 << NOPHOOK_VALUE_SHIFT) - 1);
    uint64_t value = 0, bytes = 0;
    switch (tag >> NOPHOOK_VALUE_SHIFT) {
    case NOPHOOK_VALUE_GENERAL:
      if (number >= registers.general.size() || !leb(true, &value))
        return false;
      registers.general[number] = value;
      registers.known_general |= 1u << number;
      return true;
    case NOPHOOK_VALUE_SSE:
      return leb(false, &bytes) &&
             read_register(&registers.sse, &registers.known_sse, number, bytes);
    case NOPHOOK_VALUE_X87:
      return read_register(&registers.x87, &registers.known_x87, number, 10);
    case NOPHOOK_VALUE_STACK:
    case NOPHOOK_VALUE_MEMORY: {
      bool is_stack = tag >> NOPHOOK_VALUE_SHIFT == NOPHOOK_VALUE_STACK;
      if (!leb(!is_stack, &value) || !leb(false, &bytes) || !take(bytes))
        return false;
      chunks_.push_back({is_stack ? kStack + value : value, at_ - bytes, bytes});
      return true;
    }
    default: // the end, or one that a later version has made
      return false;
    }
  }

  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
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

std::optional<NamedValue> result_value(const Prototype *prototype,
                                       std::span<const uint64_t> words) {
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
  return NamedValue{"", type_text(prototype->result),
                    value_text(prototype->result, kept.registers, memory)};
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
