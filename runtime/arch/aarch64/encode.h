// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AArch64 instructions that the runtime writes and reads, as pure functions over words; built
// and tested on every host. Encodings: Arm ARM (DDI 0487), C6.2.
//
// A site is the NOP of an entry, an aligned word; of two NOPs it is the first. NOP, B and BL are
// among the instructions that may take each other's place while they execute (Arm ARM, B2.2.5), so
// one store changes it. Every enabled site jumps: a call would lose x30, which is the caller's
// there.

#pragma once

#include "arch/aarch64/thunk.h"

#include "arch/site_frame.h"

#include <stdint.h>

namespace nophook {

struct AArch64Encode {
  static constexpr uint64_t kSiteBytes = 4;
  static constexpr bool kStoresOnly = true;
  static constexpr uint64_t kThunkBytes = THUNK_BYTES;
  static constexpr uint64_t kLandingPadBytes = 4; // the most bytes of a landing pad
  // Bytes in front of a site: no instruction is longer than one.
  static constexpr uint64_t kSitePrefixBytes = 0;
  static constexpr unsigned kAddressBits = 48; // the kernel gives no more unless it is asked
  // B has 26 bits of words, signed; keep a page in hand so that no site is at the very edge.
  static constexpr uint64_t kReachBytes = (uint64_t{1} << 27) - 4096;
  static constexpr uint64_t kLastByteStep = uint64_t{1} << 26;
  static constexpr uint64_t kInsnMask = 0xffffffff;
  static constexpr uint64_t kLastShift = 24;
  static constexpr uint64_t kInnerMask = 0x00ffff00;

  static constexpr uint64_t kNopClang = 0xd503201f; // nop
  static constexpr uint64_t kNopGas = kNopClang;
  static constexpr uint64_t kTrapInsn = 0xd4200000; // brk #0, as debuggers set it

  // kStoresOnly: never written.
  static constexpr uint16_t kSkipHead = 0;
  static constexpr unsigned kSkipBytes = 2;
  static constexpr uint8_t kTrap = 0;
  static constexpr unsigned kTrapBytes = 4; // BRK takes the whole word

  static uint64_t read_insn(const uint8_t *bytes) { return *reinterpret_cast<const Word *>(bytes); }

  // An instruction without its head: all of it.
  static unsigned short_head(uint64_t) { return 0; }
  static uint32_t rest_of(uint64_t insn) { return (uint32_t)insn; }
  static uint64_t insn_of(unsigned, uint32_t rest) { return rest; }

  static bool is_nop_insn(uint64_t insn) { return insn == kNopClang; }
  // BRK with any number: debuggers have 0, uprobes 5. It replaces every byte of the instruction
  // under it.
  static bool is_trapped_nop(uint64_t found) { return (found & 0xffe0001f) == kTrapInsn; }
  static bool is_trapped(uint64_t found, uint64_t) { return is_trapped_nop(found); }
  static bool is_trap(const uint8_t *bytes) { return is_trapped_nop(read_insn(bytes)); }
  static bool is_call_insn(uint64_t insn) { return (insn & 0xfc000000) == kCall; }
  static bool is_branch_insn(uint64_t insn) { return (insn & 0x7c000000) == kJump; }
  static bool is_site_nop(const uint8_t *bytes) { return is_nop_insn(read_insn(bytes)); }

  // Bytes of `bti` with any of c, j and jc at `bytes`: 4 or 0. PACIASP is a landing pad, too, but
  // compilers place it behind the NOPs.
  static uint64_t skip_landing_pad(const uint8_t *bytes) {
    constexpr uint64_t kBti = 0xd503241f, kTargets = 0xc0;
    const uint64_t insn = read_insn(bytes);
    return (insn & ~kTargets) == kBti && insn & kTargets ? 4 : 0;
  }

  static bool has_site_prefix(uint64_t) { return false; }

  // Whether x29 is the function's frame at a site `bytes` behind its start: the code has `add x29,
  // sp, #n`, of which `mov x29, sp` is one form.
  static SiteFrame site_frame(const uint8_t *code, uint64_t bytes) {
    for (uint64_t at = 0; at + kSiteBytes <= bytes; at += kSiteBytes)
      if ((read_insn(code + at) & 0xff8003ff) == 0x910003fd)
        return SiteFrame::kFrame;
    return SiteFrame::kUnknown;
  }

  static bool reaches(uint64_t from, uint64_t to) {
    auto distance = (int64_t)(to - from);
    return distance == distance_of((uint32_t)(distance >> 2));
  }

  // `from` is the branch's address; `to` must be within reach of it.
  static uint64_t encode_call(uint64_t from, uint64_t to) { return branch(kCall, from, to); }
  static uint64_t encode_jump(uint64_t from, uint64_t to) { return branch(kJump, from, to); }
  static uint64_t encode_branch(bool, uint64_t from, uint64_t to) { return encode_jump(from, to); }

  // The target of a BL or B at `from`.
  static uint64_t target_of(uint64_t from, uint64_t insn) {
    return from + (uint64_t)distance_of((uint32_t)insn);
  }

  // The target of the BL at site `ip`; 0: no BL stands there.
  static uint64_t call_target(uint64_t ip) {
    uint64_t insn = read_insn(reinterpret_cast<const uint8_t *>(ip));
    return is_call_insn(insn) ? target_of(ip, insn) : 0;
  }
  static uint64_t call_slot(uint64_t) { return 0; } // no call reads its target from memory

  // The forms of a call: BL, and BLR with and without authentication.
  static constexpr uint64_t kCallWindowBytes = 4;
  static bool ends_with_call(const uint8_t *code) {
    const uint64_t insn = read_insn(code);
    return is_call_insn(insn) || (insn & 0xfefff000) == 0xd63f0000;
  }

  // A signature fills the bits above an address; bit 55 is 0 in those of programs (Arm ARM D8.10).
  static uint64_t code_address(uint64_t word) { return word & ((uint64_t{1} << kAddressBits) - 1); }

  // The 32 bytes at `out`, which will run at address `at`:
  //   adr  x17, .             the trampoline finds the rest by it
  //   adrp x16, slot
  //   ldr  x16, [x16, slot]
  //   br   x16
  //   b    body               THUNK_BODY: a direct branch, which needs no landing pad
  //   .word id                THUNK_ID
  // x16 and x17 are the two registers that hold nothing at an entry (AAPCS64, 6.1.1: a linker's
  // veneer may change them). Without a body, 0, a BRK stands in its place.
  static void write_thunk(uint8_t *out, uint64_t at, uint32_t id, uint64_t slot, uint64_t body) {
    auto *words = reinterpret_cast<Word *>(out);
    words[0] = kAdrX17;
    write_slot(words + 1, at + 4, slot);
    words[3] = kBrX16;
    words[THUNK_BODY / 4] = (uint32_t)(body ? encode_jump(at + THUNK_BODY, body) : kTrapInsn);
    words[THUNK_ID / 4] = id;
    words[6] = words[7] = (uint32_t)kTrapInsn;
  }

  // 32 bytes that run at `at` and jump to the address in `slot`. BR of x16 is taken by `bti c`, and
  // so by every function whose address is known. Behind a site there is no landing pad. An address
  // there has kInBodyMark, and is entered by a return, which needs none and is not predicted.
  static constexpr uint64_t kInBodyMark = 1;
  static void write_stub(uint8_t *out, uint64_t at, uint64_t slot) {
    auto *words = reinterpret_cast<Word *>(out);
    write_slot(words, at, slot);
    words[2] = kTestMark;
    words[3] = kBrX16;
    words[4] = kSubMark;
    words[5] = kRetX16;
    words[6] = words[7] = (uint32_t)kTrapInsn;
  }

  // A function with a site that jumps to the address in `slot`:
  //   bti c; nop, which is the site; then a stub as above
  static constexpr uint64_t kCallStubBytes = 40, kCallStubEntry = 0, kCallStubSite = 4;
  static void write_call_stub(uint8_t *out, uint64_t at, uint64_t slot) {
    auto *words = reinterpret_cast<Word *>(out);
    words[0] = 0xd503245f; // bti c
    words[1] = (uint32_t)kNopClang;
    write_stub(out + 8, at + 8, slot);
  }

  // kStoresOnly: no site is ever between two kinds of branch.
  static void write_between(uint8_t *, uint64_t, uint64_t, uint64_t, int8_t, int8_t) {}

private:
  using Word = uint32_t __attribute__((aligned(1), may_alias));

  static constexpr uint64_t kJump = 0x14000000, kCall = 0x94000000;
  static constexpr uint32_t kAdrX17 = 0x10000011;   // adr x17, .
  static constexpr uint32_t kAdrpX16 = 0x90000010;  // adrp x16, the own page
  static constexpr uint32_t kLdrX16 = 0xf9400210;   // ldr x16, [x16]
  static constexpr uint32_t kBrX16 = 0xd61f0200;    // br x16
  static constexpr uint32_t kTestMark = 0x37000050; // tbnz w16, 0, . + 8
  static constexpr uint32_t kSubMark = 0xd1000610;  // sub x16, x16, 1
  static constexpr uint32_t kRetX16 = 0xd65f0200;   // ret x16

  static int64_t distance_of(uint32_t insn) { // sign-extends 26 bits
    return (int64_t)((int32_t)(insn << 6) >> 6) * 4;
  }

  static uint64_t branch(uint64_t opcode, uint64_t from, uint64_t to) {
    return opcode | ((to - from) >> 2 & 0x03ffffff);
  }

  // Writes two words at `at`. A slot is aligned to 8 and within 4 GiB.
  static void write_slot(Word *words, uint64_t at, uint64_t slot) {
    const auto pages = (uint32_t)((slot >> 12) - (at >> 12));
    words[0] = kAdrpX16 | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5;
    words[1] = kLdrX16 | (uint32_t)(slot % 4096 / 8) << 10;
  }
};

} // namespace nophook
