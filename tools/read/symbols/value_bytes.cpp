// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches bytes from registers and memory, piece by piece.

#include "read/symbols/value_bytes.h"

#include <algorithm>
#include <cstring>

namespace nophook {

namespace {

class Fetcher {
public:
  Fetcher(const CallRegisters &registers, const ReadMemory &memory)
      : registers_(registers), memory_(memory) {}

  // Fills `to` from one place. A register may be shorter than the value: the rest stays 0.
  Found fetch(uint32_t place, std::span<uint8_t> to) const {
    uint32_t number = NOPHOOK_PLACE_NUMBER(place);
    if (is_beyond(NOPHOOK_PLACE_WHERE(place), number))
      return Found::kUnknown;
    uint64_t slot = registers_.stack_arguments + NOPHOOK_PLACE_OFFSET(place), address;
    switch (NOPHOOK_PLACE_WHERE(place)) {
    case NOPHOOK_PLACE_NOWHERE:
      return Found::kNothing;
    case NOPHOOK_PLACE_REMOVED:
      return Found::kRemoved;
    case NOPHOOK_PLACE_GENERAL:
      return registers_.known_general >> number & 1 ? copy(&registers_.general[number], 8, to)
                                                    : Found::kUnknown;
    case NOPHOOK_PLACE_SSE:
      return registers_.known_sse >> number & 1 ? copy(&registers_.sse[number], 64, to)
                                                : Found::kUnknown;
    case NOPHOOK_PLACE_X87:
      return registers_.known_x87 >> number & 1 ? copy(&registers_.x87[number], 10, to)
                                                : Found::kUnknown;
    case NOPHOOK_PLACE_STACK:
      return read(slot, to);
    case NOPHOOK_PLACE_AT_GENERAL:
      return registers_.known_general >> number & 1 ? read(registers_.general[number], to)
                                                    : Found::kUnknown;
    case NOPHOOK_PLACE_AT_STACK:
      return memory_(slot, &address, sizeof address) == sizeof address ? read(address, to)
                                                                       : Found::kUnreadable;
    default:
      return Found::kUnknown;
    }
  }

private:
  bool is_beyond(uint32_t where, uint32_t number) const {
    switch (where) {
    case NOPHOOK_PLACE_GENERAL:
    case NOPHOOK_PLACE_AT_GENERAL:
      return number >= registers_.general.size();
    case NOPHOOK_PLACE_SSE:
      return number >= registers_.sse.size();
    case NOPHOOK_PLACE_X87:
      return number >= registers_.x87.size();
    default:
      return false;
    }
  }
  static Found copy(const void *from, size_t bytes, std::span<uint8_t> to) {
    std::memcpy(to.data(), from, std::min(bytes, to.size()));
    return Found::kBytes;
  }
  Found read(uint64_t address, std::span<uint8_t> to) const {
    return memory_(address, to.data(), to.size()) == to.size() ? Found::kBytes : Found::kUnreadable;
  }

  const CallRegisters &registers_;
  const ReadMemory &memory_;
};

} // namespace

ValueBytes value_bytes(const PlacedValue &value, const CallRegisters &registers,
                       const ReadMemory &memory, size_t limit) {
  ValueBytes result;
  if (!value.type) {
    result.found = Found::kNothing;
    return result;
  }
  result.is_doubtful = NOPHOOK_PLACE_FLAGS(value.place) & NOPHOOK_PLACE_UNUSED;
  result.bytes.resize(std::min<uint64_t>(value.type->bytes, limit));
  Fetcher fetcher(registers, memory);
  if (NOPHOOK_PLACE_WHERE(value.place) != NOPHOOK_PLACE_PIECES) {
    result.found = fetcher.fetch(value.place, result.bytes);
    return result;
  }
  for (const PlacedPiece &piece : value.pieces) {
    size_t at = std::min<size_t>(piece.at, result.bytes.size());
    size_t bytes = std::min<size_t>(piece.bytes, result.bytes.size() - at);
    if (NOPHOOK_PLACE_FLAGS(piece.place) & NOPHOOK_PLACE_UNUSED && !result.is_doubtful)
      result.doubtful.push_back({at, at + bytes});
    result.found = fetcher.fetch(piece.place, std::span(result.bytes).subspan(at, bytes));
    if (result.found != Found::kBytes)
      return result;
  }
  return result;
}

} // namespace nophook
