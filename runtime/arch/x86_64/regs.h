// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general registers of a traced call, as the trampolines save them: pt_regs of <asm/ptrace.h>,
// which ftrace_get_regs() returns. Included by assembly too; static_asserts prove the offsets.
//
// At a function's entry rsp points at the return address, and the site has pushed the address
// behind itself below that. Both are there for as long as callbacks and exit handlers run.

#pragma once

#define REGS_R15 0
#define REGS_R14 8
#define REGS_R13 16
#define REGS_R12 24
#define REGS_RBP 32
#define REGS_RBX 40
#define REGS_R11 48
#define REGS_R10 56
#define REGS_R9 64
#define REGS_R8 72
#define REGS_RAX 80
#define REGS_RCX 88
#define REGS_RDX 96
#define REGS_RSI 104
#define REGS_RDI 112
#define REGS_ORIG_RAX 120
#define REGS_RIP 128
#define REGS_CS 136
#define REGS_FLAGS 144
#define REGS_RSP 152
#define REGS_SS 160
#define REGS_GENERAL_BYTES 168

#ifndef __ASSEMBLER__

#include "arch/x86_64/encode.h"

#include <stddef.h>
#include <stdint.h>

namespace nophook {

struct X86_64Regs {
  uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, orig_rax;
  uint64_t rip; // address at which the function continues
  uint64_t cs, flags;
  uint64_t rsp; // at the function's entry
  uint64_t ss;

  // The functions and tables from here on are the contract: docs/porting.md.
  uint64_t continues_at() const { return rip; }
  void continue_at(uint64_t ip) { rip = ip; }

  static constexpr uint64_t kReturnSlotBytes = 8;
  uint64_t entry_sp() const { return rsp; }
  uint64_t return_address() const { return *reinterpret_cast<const uint64_t *>(rsp); }
  uint64_t stack_arguments() const { return rsp + kReturnSlotBytes; }
  uint64_t frame_pointer() const { return rbp; }
  // The frame of graph_frame.md keeps rbp below the return address.
  uint64_t call_frame() const { return rsp - 8; }
  uint64_t exit_site() const {
    return *reinterpret_cast<const uint64_t *>(rsp - 8) - X86_64Encode::kSiteBytes;
  }

  uint64_t result() const { return rax; }
  void set_result(uint64_t value) { rax = value; }

  // A register is named by its offset. The System V ABI's order of arguments, and its DWARF numbers
  // (3.2.3 and figure 3.36).
  uint64_t at(uint64_t offset) const {
    return *reinterpret_cast<const uint64_t *>(reinterpret_cast<const char *>(this) + offset);
  }
  static constexpr uint8_t kArguments[] = {REGS_RDI, REGS_RSI, REGS_RDX,
                                           REGS_RCX, REGS_R8,  REGS_R9};
  static constexpr uint8_t kResult = REGS_RAX;
  static constexpr uint8_t kByDwarfNumber[] = {
      REGS_RAX, REGS_RDX, REGS_RCX, REGS_RBX, REGS_RSI, REGS_RDI, REGS_RBP, REGS_RSP,
      REGS_R8,  REGS_R9,  REGS_R10, REGS_R11, REGS_R12, REGS_R13, REGS_R14, REGS_R15};

  struct Name {
    const char *text;
    uint8_t offset;
  };
  // Names in the spelling of kprobe events.
  static constexpr Name kNames[] = {{"ax", REGS_RAX},      {"bx", REGS_RBX},  {"cx", REGS_RCX},
                                    {"dx", REGS_RDX},      {"si", REGS_RSI},  {"di", REGS_RDI},
                                    {"bp", REGS_RBP},      {"sp", REGS_RSP},  {"ip", REGS_RIP},
                                    {"flags", REGS_FLAGS}, {"r8", REGS_R8},   {"r9", REGS_R9},
                                    {"r10", REGS_R10},     {"r11", REGS_R11}, {"r12", REGS_R12},
                                    {"r13", REGS_R13},     {"r14", REGS_R14}, {"r15", REGS_R15}};
};

static_assert(offsetof(X86_64Regs, r15) == REGS_R15);
static_assert(offsetof(X86_64Regs, r14) == REGS_R14);
static_assert(offsetof(X86_64Regs, r13) == REGS_R13);
static_assert(offsetof(X86_64Regs, r12) == REGS_R12);
static_assert(offsetof(X86_64Regs, rbp) == REGS_RBP);
static_assert(offsetof(X86_64Regs, rbx) == REGS_RBX);
static_assert(offsetof(X86_64Regs, r11) == REGS_R11);
static_assert(offsetof(X86_64Regs, r10) == REGS_R10);
static_assert(offsetof(X86_64Regs, r9) == REGS_R9);
static_assert(offsetof(X86_64Regs, r8) == REGS_R8);
static_assert(offsetof(X86_64Regs, rax) == REGS_RAX);
static_assert(offsetof(X86_64Regs, rcx) == REGS_RCX);
static_assert(offsetof(X86_64Regs, rdx) == REGS_RDX);
static_assert(offsetof(X86_64Regs, rsi) == REGS_RSI);
static_assert(offsetof(X86_64Regs, rdi) == REGS_RDI);
static_assert(offsetof(X86_64Regs, orig_rax) == REGS_ORIG_RAX);
static_assert(offsetof(X86_64Regs, rip) == REGS_RIP);
static_assert(offsetof(X86_64Regs, cs) == REGS_CS);
static_assert(offsetof(X86_64Regs, flags) == REGS_FLAGS);
static_assert(offsetof(X86_64Regs, rsp) == REGS_RSP);
static_assert(offsetof(X86_64Regs, ss) == REGS_SS);
static_assert(sizeof(X86_64Regs) == REGS_GENERAL_BYTES);

} // namespace nophook

#endif // __ASSEMBLER__
