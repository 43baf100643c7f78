// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the kernel's clocks of a thread, and knows the system calls that may wait for a vfork
// child.

#include "base/thread_facts.h"

#include "base/syscall.h"

#include <time.h>

namespace nophook {

namespace {

// The kernel's clocks of a thread (include/linux/posix-timers.h).
constexpr int kOfThread = 4; // CPUCLOCK_PERTHREAD_MASK
constexpr int kUserMode = kOfThread | 1, kRan = kOfThread | 2;

uint64_t read_clock(int32_t tid, int clock) {
  timespec now = {};
  if (sys_failed(sys(SYS_clock_gettime, (~tid << 3) | clock, &now)))
    return 0;
  return (uint64_t)now.tv_sec * 1'000'000'000u + (uint64_t)now.tv_nsec;
}

} // namespace

uint64_t time_ran(int32_t tid) {
  return read_clock(tid, kRan);
}

uint64_t time_in_user_mode(int32_t tid) {
  return read_clock(tid, kUserMode);
}

bool may_lend_memory(uint64_t system_call) {
#ifdef __NR_vfork // newer CPUs' kernels have clone only
  if (system_call == __NR_vfork)
    return true;
#endif
  return system_call == __NR_clone || system_call == __NR_clone3;
}

} // namespace nophook
