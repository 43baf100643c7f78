// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a signal handler on x86-64: the trap of a site that is being changed, and the frame
// that the kernel makes for a handler.

#pragma once

#include <stdint.h>

namespace nophook {

struct X86_64Signals {
  // `context`: the handler's third argument.
  static uint64_t trapped_at(const void *context);
  static void execute_again(void *context);
  static void emulate_insn(void *context, uint64_t at, uint64_t insn);
  static bool is_trap_insn(int si_code);

  // The words of a handler's frame: its return address, which is the program's restorer, then the
  // kernel's struct ucontext, with flags, link (0), three words of signal stack, 15 registers, the
  // interrupted stack pointer, and further on the flags and the address of the vector registers,
  // which lie above.
  static constexpr uint64_t kSignalFrameWords = 30;
  static constexpr bool kFrameTellsReturn = true;
  static uint64_t handler_return(const uint64_t *frame) { return frame[0]; }
  static uint64_t interrupted_sp(const uint64_t *frame) { return frame[1 + 5 + 15]; }
  static bool is_signal_frame(const uint64_t *frame, uint64_t at) {
    constexpr uint64_t kFlags = 1, kLink = 2, kEflags = 23, kVectors = 29;
    constexpr uint64_t kAlwaysOn = 1 << 1, kNoFlags = ~uint64_t{0} << 22;
    // The most bytes from the frame up to the vector registers.
    constexpr uint64_t kMostBytes = 1 << 16;
    return frame[kFlags] < 16 && frame[kLink] == 0 && frame[kEflags] & kAlwaysOn &&
           !(frame[kEflags] & kNoFlags) && frame[kVectors] % 64 == 0 &&
           frame[kVectors] - at <= kMostBytes;
  }
};

} // namespace nophook
