// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system calls that an event may make.

#pragma once

#include "base/syscall.h"

#include <errno.h>
#include <stdint.h>

namespace nophook {

inline uint32_t g_few_calls = 0;

// Whether calls that are not in the list must not be made now. A caller goes on as if the kernel
// had refused its call.
inline bool has_few_calls() {
  constexpr long kNoAddress = 1;
  if (__atomic_load_n(&g_few_calls, __ATOMIC_RELAXED))
    return true;
  const long answer = sys(SYS_shmdt, kNoAddress);
  if (answer != -EACCES && answer != -EPERM)
    return false;
  __atomic_store_n(&g_few_calls, 1, __ATOMIC_RELAXED);
  return true;
}

} // namespace nophook
