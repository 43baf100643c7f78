// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's facts about one thread of this process.

#pragma once

#include "base/bytes.h"

#include <stdint.h>

namespace nophook {

// The path of a file in the thread's folder of /proc.
inline Text<64> task_file(int32_t tid, const char *name) {
  Text<64> path;
  path.add("/proc/self/task/").number((uint64_t)tid).add("/").add(name);
  return path;
}

// Nanoseconds that the thread has run, in user mode and in the kernel; 0: there is no such thread,
// or the kernel does not show it.
uint64_t time_ran(int32_t tid);

// Nanoseconds that the thread has run in user mode. A growth proves that the thread has been in
// user mode in between: the kernel adds to it when its timer tick has interrupted user mode, or, on
// CPUs without a tick, when user mode is left (kernel/sched/cputime.c). The number may lag, and
// grow by a tick at a time, so the same number proves nothing. 0: as time_ran().
uint64_t time_in_user_mode(int32_t tid);

// Whether a thread that is in this system call may wait in it for a vfork child, which has its
// memory.
bool may_lend_memory(uint64_t system_call);

} // namespace nophook
