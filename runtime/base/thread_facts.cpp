// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/thread_facts.h"

#include "base/syscall.h"

#include <time.h>

namespace nophook {

uint64_t time_ran(int32_t tid) {
  constexpr int kThreadsCpuClock = 4 | 2; // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED
  timespec now = {};
  if (sys_failed(sys(SYS_clock_gettime, (~tid << 3) | kThreadsCpuClock, &now)))
    return 0;
  return (uint64_t)now.tv_sec * 1'000'000'000u + (uint64_t)now.tv_nsec;
}

bool may_lend_memory(uint64_t system_call) {
#ifdef __NR_vfork // newer CPUs' kernels have clone alone
  if (system_call == __NR_vfork)
    return true;
#endif
  return system_call == __NR_clone || system_call == __NR_clone3;
}

} // namespace nophook
