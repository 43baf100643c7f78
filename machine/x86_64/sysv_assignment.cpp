// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/x86_64/sysv_assignment.h"

#include "llvm/Support/MathExtras.h"

namespace nophook::x86_64 {
namespace {

constexpr uint8_t kGeneral[] = {5, 4, 1, 2, 8, 9}; // rdi, rsi, rdx, rcx, r8, r9 in DWARF's numbers
constexpr unsigned kSse = 8;
constexpr uint8_t kResultGeneral[] = {0, 1}; // rax, rdx
constexpr uint64_t kLargestStack = 0xffff;   // largest offset in a place

Pieces unknown() {
  return {unknown_piece()};
}

// The registers that the eightbytes of a value take, as pieces; `sse` and `general` return the
// number of the next register of each kind.
template <class General, class Sse>
Pieces pieces_of(const AbiValue &value, General general, Sse sse) {
  Pieces pieces;
  for (size_t i = 0; i < value.eightbytes.size(); i++) {
    const uint64_t bytes = std::min<uint64_t>(8, value.bytes - i * 8);
    switch (value.eightbytes[i]) {
    case AbiClass::kInteger:
      pieces.push_back({NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, general(), 0), i * 8, bytes});
      break;
    case AbiClass::kSse:
      pieces.push_back({NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, sse(), 0), i * 8, bytes});
      break;
    case AbiClass::kSseUp:
      pieces.back().bytes += bytes;
      break;
    default:
      break;
    }
  }
  return pieces;
}

} // namespace

uint64_t SysVAssignment::push(uint64_t bytes, uint64_t alignment) {
  stack_ = llvm::alignTo(stack_, std::max<uint64_t>(8, llvm::PowerOf2Ceil(alignment)));
  const uint64_t at = stack_;
  stack_ += llvm::alignTo(bytes, 8);
  return at;
}

Pieces SysVAssignment::pieces_if_known(Pieces pieces) const {
  return is_exact_ ? pieces : unknown();
}

// The assignment of an unknown value. It assumes all ways at once: registers, stack, and an
// address.
Pieces SysVAssignment::not_known(const AbiValue &value) {
  general_ = std::min<unsigned>(std::size(kGeneral), general_ + 2);
  sse_ = std::min(kSse, sse_ + 2);
  // The size of the largest vector, if the size is unknown; the alignment can be no more.
  push(value.bytes ? value.bytes : 64, 64);
  is_exact_ = false;
  return unknown();
}

Pieces SysVAssignment::on_stack(const AbiValue &value) {
  const uint64_t at = push(value.bytes, value.alignment);
  if (at > kLargestStack)
    return unknown();
  return pieces_if_known({{NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, at), 0, value.bytes}});
}

Pieces SysVAssignment::by_address(const AbiValue &value) {
  const uint64_t bytes = value.bytes;
  if (general_ < std::size(kGeneral))
    return pieces_if_known(
        {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, kGeneral[general_++], 0), 0, bytes}});
  const uint64_t at = push(8, 8);
  return at > kLargestStack
             ? unknown()
             : pieces_if_known({{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_STACK, 0, 0, at), 0, bytes}});
}

Pieces SysVAssignment::in_registers(const AbiValue &value) {
  unsigned general = 0, sse = 0;
  for (AbiClass c : value.eightbytes) {
    general += c == AbiClass::kInteger;
    sse += c == AbiClass::kSse;
  }
  // A value is in registers as a whole or not at all.
  if (general_ + general > std::size(kGeneral) || sse_ + sse > kSse)
    return on_stack(value);
  return pieces_if_known(
      pieces_of(value, [&] { return kGeneral[general_++]; }, [&] { return sse_++; }));
}

Pieces SysVAssignment::argument(const AbiValue &value) {
  if (!value.is_known)
    return not_known(value);
  if (value.by_reference)
    return by_address(value);
  if (value.has_no_data())
    return pieces_if_known({});
  switch (value.eightbytes[0]) {
  case AbiClass::kMemory:
  case AbiClass::kX87:
  case AbiClass::kComplexX87:
    return on_stack(value);
  default:
    return in_registers(value);
  }
}

Pieces SysVAssignment::result(const AbiValue &value) {
  if (!value.is_known) {
    general_++; // there may be a hidden argument
    is_exact_ = false;
    return unknown();
  }
  if (value.by_reference || value.is_memory()) {
    general_++;
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, kResultGeneral[0], 0), 0, value.bytes}};
  }
  if (value.has_no_data())
    return {};
  if (value.eightbytes[0] == AbiClass::kX87)
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_X87, 0, 0, 0), 0, 16}};
  if (value.eightbytes[0] == AbiClass::kComplexX87)
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_X87, 0, 0, 0), 0, 16},
            {NOPHOOK_PLACE(NOPHOOK_PLACE_X87, 0, 1, 0), 16, 16}};
  unsigned general = 0, sse = 0;
  return pieces_of(value, [&] { return kResultGeneral[general++]; }, [&] { return sse++; });
}

} // namespace nophook::x86_64
