// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area that a thread shares with the kernel for restartable sequences (rseq(2)). Reading it
// takes no system call. The kernel stores there on which CPU the thread runs, and a thread can
// find out there whether it has been off the CPU.
//
// `rseq_cs` in the area points at the description of a critical section. On its way back from a
// switch the kernel looks at it, and stores 0 if the thread is outside that section: what the
// section protects is over. A section that no thread ever executes is a mark that lasts exactly
// as long as the thread keeps its CPU.

#pragma once

#include "arch/clock.h"

#include <stdint.h>

namespace nophook {

// The distance from the thread pointer to the CPU number in the thread's area, the same for all
// threads; 0 if libc registers none. Any thread, any time.
int64_t rseq_cpu_offset();

// The address of the mark. It is never unmapped, or the kernel would kill a thread that has it.
uint64_t rseq_mark();

// The word `rseq_cs` of the calling thread's area, at this distance from its thread pointer. Only
// if rseq_cpu_offset() is not 0.
inline int64_t rseq_cs_offset() {
  constexpr int64_t kFromCpu = 4; // offsetof(struct rseq, rseq_cs) - offsetof(struct rseq, cpu_id)
  return rseq_cpu_offset() + kFromCpu;
}
inline volatile uint64_t *rseq_cs() {
  return reinterpret_cast<volatile uint64_t *>(thread_pointer() + rseq_cs_offset());
}

} // namespace nophook
