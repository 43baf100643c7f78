// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area where the kernel stores a thread's processor number: reading it takes no system call.

#pragma once

#include <stdint.h>

namespace nophook {

// The distance from the thread pointer to the CPU number in the thread's restartable-sequence
// area, the same for all threads; 0 if libc registers none. Any thread, any time.
int64_t rseq_cpu_offset();

} // namespace nophook
