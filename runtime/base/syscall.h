// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls without libc.
//
// The event path runs between any two instructions of the traced program: inside
// malloc, inside a signal handler, in a thread that libc is tearing down. libc's wrappers
// write errno there, may be interposed, may be traced themselves, and may use vector
// registers that still hold the traced function's arguments. So the runtime calls the kernel
// directly. A result in [-4095, -1] is a negated errno.

#pragma once

#include "arch/arch.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace nophook {

// Makes system call `number`; pointers and integers alike become longs.
// Thread, signal and fork safe; changes no errno.
template <class... Args> inline long sys(long number, Args... args) {
  static_assert(sizeof...(Args) <= 6);
  const long list[6] = {((long)args)...};
  return Arch::raw_syscall(number, list[0], list[1], list[2], list[3], list[4], list[5]);
}

inline bool sys_failed(long result) {
  return (unsigned long)result >= (unsigned long)-4095L;
}

} // namespace nophook
