// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AArch64 instructions of a site, as pure functions; built and tested on every host. They are
// no Arch: there is no runtime for AArch64 yet (docs/porting.md).
//
// clang's and gcc's entry of two NOPs takes `mov x9, x30; bl target`: the first word is put
// in place once and stays, the second toggles between NOP and BL, each an aligned word whose
// change needs no protocol (Arm ARM, B2.2.5 lists NOP, B and BL among the instructions that
// may be modified while they execute).

#pragma once

#include <stdint.h>

namespace nophook::aarch64 {

constexpr uint64_t kInsnBytes = 4;
constexpr uint64_t kReachBytes = uint64_t{1} << 27; // BL: 26 bits of words, signed

constexpr uint32_t kNop = 0xd503201f;
constexpr uint32_t kMovX9X30 = 0xaa1e03e9; // mov x9, x30
constexpr uint32_t kBtiC = 0xd503245f;     // bti c
constexpr uint32_t kPaciasp = 0xd503233f;  // paciasp, a landing pad too

inline bool reaches(uint64_t from, uint64_t to) {
  int64_t distance = (int64_t)(to - from);
  return distance >= -(int64_t)kReachBytes && distance < (int64_t)kReachBytes && distance % 4 == 0;
}

inline uint32_t encode_branch(uint32_t opcode, uint64_t from, uint64_t to) {
  return opcode | ((uint32_t)((int64_t)(to - from) >> 2) & 0x03ffffff);
}
// `from` is the address of the branch itself.
inline uint32_t encode_call(uint64_t from, uint64_t to) {
  return encode_branch(0x94000000, from, to);
}
inline uint32_t encode_jump(uint64_t from, uint64_t to) {
  return encode_branch(0x14000000, from, to);
}

inline uint64_t target_of(uint64_t from, uint32_t insn) {
  int64_t words = (int64_t)(int32_t)(insn << 6) >> 6; // sign-extend 26 bits
  return from + (uint64_t)words * 4;
}

inline bool is_call(uint32_t insn) {
  return (insn & 0xfc000000) == 0x94000000;
}
inline bool is_landing_pad(uint32_t insn) {
  return insn == kBtiC || insn == kPaciasp;
}

} // namespace nophook::aarch64
