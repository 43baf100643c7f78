// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The x86-64 instructions that the runtime writes, as pure functions over bytes; built and tested
// on every host. An instruction of a site is kept in the low five bytes of a uint64_t, first byte
// lowest. Encodings: Intel SDM vol. 2 (CALL, JMP, PUSH, NOP).

#pragma once

#include "arch/site_frame.h"

#include <stdint.h>

namespace nophook {

struct X86_64Encode {
  static constexpr uint64_t kSiteBytes = 5;
  static constexpr bool kStoresOnly = false;
  static constexpr uint64_t kThunkBytes = 16;
  static constexpr uint64_t kLandingPadBytes = 4; // the most bytes of a landing pad
  static constexpr uint64_t kSitePrefixBytes = 1; // the most bytes in front of a site
  static constexpr unsigned kAddressBits = 47;    // bits of an address in the program's half
  // A rel32 reaches 2 GiB; keep a page in hand so that no site is at the very edge.
  static constexpr uint64_t kReachBytes = (uint64_t{1} << 31) - 4096;
  // Calls from one place to targets that are a multiple of this apart differ in their last byte
  // only.
  static constexpr uint64_t kLastByteStep = uint64_t{1} << 24;
  static constexpr uint64_t kInsnMask = (uint64_t{1} << 8 * kSiteBytes) - 1;
  static constexpr uint64_t kLastShift =
      8 * (kSiteBytes - 1); // shift of an instruction's last byte
  // Mask of the bytes between the first and the last one.
  static constexpr uint64_t kInnerMask = kInsnMask >> 8 & ~uint64_t{0xff};

  static constexpr uint64_t kNopClang = 0x0800441f0f; // nopl 0x8(%rax,%rax,1)
  static constexpr uint64_t kNopGas = 0x0000441f0f;   // nopl 0x0(%rax,%rax,1)
  static constexpr uint16_t kSkipHead = 0x03eb;       // jmp over the three tail bytes
  static constexpr unsigned kSkipBytes = 2;
  static constexpr uint8_t kTrap = 0xcc; // int3
  static constexpr unsigned kTrapBytes = 1;

  static uint64_t read_insn(const uint8_t *bytes) {
    using Unaligned = uint32_t __attribute__((aligned(1), may_alias));
    return *reinterpret_cast<const Unaligned *>(bytes) | (uint64_t)bytes[4] << 32;
  }

  // A site of ours holds a NOP, a call or a jump: its first byte can be kept in two bits.
  static unsigned short_head(uint64_t insn) { return (insn >> 6 & 2) | (insn & 1); }
  static uint32_t rest_of(uint64_t insn) { return (uint32_t)(insn >> 8); }
  static uint64_t insn_of(unsigned head, uint32_t rest) {
    return (0xe9e80f00 >> 8 * head & 0xff) | (uint64_t)rest << 8;
  }

  static bool is_nop_insn(uint64_t insn) { return insn == kNopClang || insn == kNopGas; }
  // Whether `found` is `insn` under an int3 of another tool.
  static bool is_trapped(uint64_t found, uint64_t insn) {
    return (uint8_t)found == kTrap && found >> 8 == insn >> 8;
  }
  static bool is_trapped_nop(uint64_t found) {
    return is_trapped(found, kNopClang) || is_trapped(found, kNopGas);
  }
  static bool is_trap(const uint8_t *bytes) { return *bytes == kTrap; }
  static bool is_call_insn(uint64_t insn) { return (insn & 0xff) == 0xe8; }
  static bool is_branch_insn(uint64_t insn) { return (insn & 0xfe) == 0xe8; } // call or jmp
  static bool is_site_nop(const uint8_t *bytes) { return is_nop_insn(read_insn(bytes)); }

  // Bytes of `endbr64` (f3 0f 1e fa) at `bytes`: 4 or 0.
  static uint64_t skip_landing_pad(const uint8_t *bytes) {
    return bytes[0] == 0xf3 && bytes[1] == 0x0f && bytes[2] == 0x1e && bytes[3] == 0xfa ? 4 : 0;
  }

  // Whether the site is the last five bytes of an instruction of six: recordmcount's `67 ...`, or a
  // call through the GOT.
  static bool has_site_prefix(uint64_t ip) {
    uint8_t before = reinterpret_cast<const uint8_t *>(ip)[-1];
    return before == 0x67 || before == 0xff;
  }

  // The changes that a function has made to its stack in front of a site that is not at its entry.
  // `code`: from the function's start on; `bytes` of it lie in front of the site.
  //   41 52               push %r10     gcc's nested functions: the static chain
  //   48 89 e5, 48 8b ec  mov %rsp,%rbp
  static SiteFrame site_frame(const uint8_t *code, uint64_t bytes) {
    uint64_t at = bytes >= kLandingPadBytes ? skip_landing_pad(code) : 0;
    if (bytes - at >= 2 && bytes - at <= 2 + kSitePrefixBytes && code[at] == 0x41 &&
        code[at + 1] == 0x52)
      return SiteFrame::kPushed;
    for (; at + 3 <= bytes; at++)
      if (code[at] == 0x48 && ((code[at + 1] == 0x89 && code[at + 2] == 0xe5) ||
                               (code[at + 1] == 0x8b && code[at + 2] == 0xec)))
        return SiteFrame::kFrame;
    return SiteFrame::kUnknown;
  }

  static bool reaches(uint64_t from, uint64_t to) {
    int64_t distance = (int64_t)(to - from - kSiteBytes);
    return distance == (int32_t)distance;
  }

  // `from` is the site's address; `to` must be within reach of it.
  static uint64_t encode_call(uint64_t from, uint64_t to) { return rel32(0xe8, from, to); }
  static uint64_t encode_jump(uint64_t from, uint64_t to) { return rel32(0xe9, from, to); }

  static uint64_t encode_branch(bool jumps, uint64_t from, uint64_t to) {
    return rel32((uint8_t)(0xe8 + jumps), from, to);
  }

  // The target of a call or jump at `from`.
  static uint64_t target_of(uint64_t from, uint64_t insn) {
    return from + kSiteBytes + (uint64_t)(int64_t)(int32_t)(uint32_t)(insn >> 8);
  }

  // The target of `e8 rel32` at site `ip`; 0: no such call stands there.
  static uint64_t call_target(uint64_t ip) {
    uint64_t insn = read_insn(reinterpret_cast<const uint8_t *>(ip));
    return is_call_insn(insn) ? target_of(ip, insn) : 0;
  }

  // The address of the word that holds the target, for `ff 15 disp32`, the last five bytes of which
  // are the site. Reads the byte in front of the site.
  static uint64_t call_slot(uint64_t ip) {
    const auto *at = reinterpret_cast<const uint8_t *>(ip);
    return *at == 0x15 && at[-1] == 0xff ? target_of(ip, read_insn(at)) : 0;
  }

  // Whether a call ends at the end of these bytes, in one of the forms that compilers use: e8
  // rel32, and ff /2 with two to seven bytes.
  static constexpr uint64_t kCallWindowBytes = 8;
  static bool ends_with_call(const uint8_t *code) {
    if (code[kCallWindowBytes - 5] == 0xe8)
      return true;
    for (unsigned length = 2; length <= 7; length++) {
      const uint8_t *insn = code + kCallWindowBytes - length;
      if (insn[0] == 0xff && (insn[1] >> 3 & 7) == 2)
        return true;
    }
    return false;
  }

  static uint64_t code_address(uint64_t word) { return word; }

  // The 16 bytes at `out`, which will run at address `at`:
  //   68 imm32            push $id
  //   ff 25 disp32        jmp *slot(%rip)
  //   cc cc cc cc cc      never reached
  // No register is used, because every one may hold an argument (preserve_none passes one
  // in r11); the jump goes through a slot since the runtime may be out of rel32's reach. The body's
  // address is in nophook_bodies.
  static void write_thunk(uint8_t *out, uint64_t at, uint32_t id, uint64_t slot, uint64_t) {
    out[0] = 0x68;
    put32(out + 1, id);
    out[5] = 0xff;
    out[6] = 0x25;
    put32(out + 7, (uint32_t)(slot - (at + 11)));
    for (unsigned i = 11; i < kThunkBytes; i++)
      out[i] = kTrap;
  }

  // 16 bytes that run at `at` and jump to the address in `slot`, which may be no landing pad:
  //   3e ff 25 disp32     notrack jmp *slot(%rip)
  static constexpr uint64_t kInBodyMark = 0; // notrack: no landing pad is needed anywhere
  static void write_stub(uint8_t *out, uint64_t at, uint64_t slot) {
    out[0] = 0x3e;
    out[1] = 0xff;
    out[2] = 0x25;
    put32(out + 3, (uint32_t)(slot - (at + 7)));
    for (unsigned i = 7; i < kThunkBytes; i++)
      out[i] = kTrap;
  }

  // A function with a site that jumps to the address in `slot`, in 32 bytes at an address that is a
  // multiple of 8. The site is then in one word, so it is changed by one store.
  //   cc cc cc cc
  //   f3 0f 1e fa         endbr64, the entry
  //   0f 1f 44 00 08      the site
  //   3e ff 25 disp32     notrack jmp *slot(%rip)
  static constexpr uint64_t kCallStubBytes = 32, kCallStubEntry = 4, kCallStubSite = 8;
  static void write_call_stub(uint8_t *out, uint64_t at, uint64_t slot) {
    for (unsigned i = 0; i < kCallStubBytes; i++)
      out[i] = kTrap;
    put32(out + kCallStubEntry, 0xfa1e0ff3);
    put32(out + kCallStubSite, (uint32_t)kNopClang);
    out[kCallStubSite + 4] = (uint8_t)(kNopClang >> 32);
    write_stub(out + kCallStubSite + kSiteBytes, at + kCallStubSite + kSiteBytes, slot);
  }

  // 16 bytes that run at `at`, between two islands, which are whole steps of kLastByteStep away
  // from `at`. A thread that has called them from the site of `body` continues in the one, a thread
  // that has jumped in the other:
  //   ff 15 disp32        call *slot(%rip)    of nophook_between, which reads what follows
  //   disp32, steps, steps
  static void write_between(uint8_t *out, uint64_t at, uint64_t slot, uint64_t body,
                            int8_t call_steps, int8_t jump_steps) {
    out[0] = 0xff;
    out[1] = 0x15;
    put32(out + 2, (uint32_t)(slot - (at + 6)));
    put32(out + 6, (uint32_t)(body - (at + 6)));
    out[10] = (uint8_t)call_steps;
    out[11] = (uint8_t)jump_steps;
    for (unsigned i = 12; i < kThunkBytes; i++)
      out[i] = kTrap;
  }

private:
  static uint64_t rel32(uint8_t opcode, uint64_t from, uint64_t to) {
    return opcode | (uint64_t)(uint32_t)(to - from - kSiteBytes) << 8;
  }

  static void put32(uint8_t *out, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
      out[i] = (uint8_t)(value >> 8 * i);
  }
};

} // namespace nophook
