// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general registers of a traced call, as the trampolines save them: user_pt_regs of
// <asm/ptrace.h>, which ftrace_get_regs() returns. Included by assembly too; static_asserts prove
// the offsets.
//
// For as long as callbacks and exit handlers run, two frame records lie below the stack pointer of
// the function's entry: the caller's, with the return address that x30 had, and below that the
// function's own, with the address behind the site.

#pragma once

#define REGS_X0 0 // x0 to x30, 8 bytes each
#define REGS_SP 248
#define REGS_PC 256
#define REGS_PSTATE 264
#define REGS_GENERAL_BYTES 272

#ifndef __ASSEMBLER__

#include "arch/aarch64/encode.h"

#include <stddef.h>
#include <stdint.h>

namespace nophook {

struct AArch64Regs {
  uint64_t x[31];
  uint64_t sp; // at the function's entry
  uint64_t pc; // address at which the function continues
  uint64_t pstate;

  // The functions and tables from here on are the contract: docs/porting.md.
  uint64_t continues_at() const { return pc; }
  void continue_at(uint64_t ip) { pc = ip; }

  static constexpr uint64_t kReturnSlotBytes = 0;
  uint64_t entry_sp() const { return sp; }
  uint64_t return_address() const { return word(sp - 8); }
  uint64_t stack_arguments() const { return sp; }
  uint64_t frame_pointer() const { return x[29]; }
  uint64_t call_frame() const { return sp - 16; } // the caller's frame record
  uint64_t exit_site() const { return word(sp - 24) - AArch64Encode::kSiteBytes; }

  uint64_t result() const { return x[0]; }
  void set_result(uint64_t value) { x[0] = value; }

  // A register is named by its offset. The order of arguments is AAPCS64's (6.8.2), as are the
  // DWARF numbers (AADWARF64, 4.1).
  uint64_t at(uint64_t offset) const { return word(reinterpret_cast<uint64_t>(this) + offset); }
  static constexpr uint16_t kArguments[] = {0, 8, 16, 24, 32, 40, 48, 56}; // x0 to x7
  static constexpr uint16_t kResult = REGS_X0;
  static constexpr uint16_t kByDwarfNumber[] = {0,  8,  16, 24, 32, 40,  48,  56, // x0 to x15
                                                64, 72, 80, 88, 96, 104, 112, 120};

  struct Name {
    const char *text;
    uint16_t offset;
  };
  // Names in the spelling of kprobe events.
  static constexpr Name kNames[] = {{"x0", 0},       {"x1", 8},
                                    {"x2", 16},      {"x3", 24},
                                    {"x4", 32},      {"x5", 40},
                                    {"x6", 48},      {"x7", 56},
                                    {"x8", 64},      {"x9", 72},
                                    {"x10", 80},     {"x11", 88},
                                    {"x12", 96},     {"x13", 104},
                                    {"x14", 112},    {"x15", 120},
                                    {"x16", 128},    {"x17", 136},
                                    {"x18", 144},    {"x19", 152},
                                    {"x20", 160},    {"x21", 168},
                                    {"x22", 176},    {"x23", 184},
                                    {"x24", 192},    {"x25", 200},
                                    {"x26", 208},    {"x27", 216},
                                    {"x28", 224},    {"x29", 232},
                                    {"lr", 240},     {"sp", REGS_SP},
                                    {"pc", REGS_PC}, {"pstate", REGS_PSTATE}};

private:
  static uint64_t word(uint64_t address) { return *reinterpret_cast<const uint64_t *>(address); }
};

static_assert(offsetof(AArch64Regs, x) == REGS_X0);
static_assert(offsetof(AArch64Regs, sp) == REGS_SP);
static_assert(offsetof(AArch64Regs, pc) == REGS_PC);
static_assert(offsetof(AArch64Regs, pstate) == REGS_PSTATE);
static_assert(sizeof(AArch64Regs) == REGS_GENERAL_BYTES);

} // namespace nophook

#endif // __ASSEMBLER__
