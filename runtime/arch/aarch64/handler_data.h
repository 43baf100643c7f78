// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a signal handler on AArch64, and the frame that the kernel makes for a handler.

#pragma once

#include <stdint.h>

namespace nophook {

struct AArch64Signals {
  // `context`: the handler's third argument.
  static uint64_t trapped_at(const void *context);
  static void execute_again(void *context);
  static void emulate_insn(void *context, uint64_t at, uint64_t insn);
  static bool is_trap_insn(int si_code);

  // The handler returns by x30, which leads into the vDSO: the frame does not show it.
  static constexpr bool kFrameTellsReturn = false;
  static uint64_t handler_return(const uint64_t *) { return 0; }

  // The words of the kernel's struct ucontext, behind siginfo: flags (0), link (0), three of the
  // signal stack, 16 of the mask, a gap, the address of the fault, 31 registers, stack pointer,
  // program counter, PSTATE, a gap, and the header of the vector registers, the first of the
  // records behind it (Linux, arch/arm64/kernel/signal.c).
  static constexpr uint64_t kSignalFrameWords = 59;
  static uint64_t interrupted_sp(const uint64_t *frame) { return frame[kSp]; }
  static bool is_signal_frame(const uint64_t *frame, uint64_t at) {
    constexpr uint64_t kFlags = 0, kLink = 1, kPstate = kSp + 2, kVectors = 58;
    constexpr uint64_t kMagic = 0x46508001, kBytes = 528, kNotOfPrograms = 0x1f;
    return at % 16 == 0 && !frame[kFlags] && !frame[kLink] && frame[kSp] % 16 == 0 &&
           !(frame[kPstate] & kNotOfPrograms) && frame[kVectors] == (kMagic | kBytes << 32);
  }

private:
  static constexpr uint64_t kSp = 54;
};

} // namespace nophook
