// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which system calls an event may make.
//
// A program may give itself a seccomp filter while it is traced, as OpenSSH's child before the
// login does. If the filter kills for a call of ours, the program is dead, and we did it. A process
// cannot ask for its own filter without a call that the filter may forbid. So the path of events,
// the end of a thread and exit() make calls of one short list alone (docs/limits.md), which
// OpenSSH's sandbox, Chromium's and systemd's @system-service let through.
//
// Some may be answered by an error there, never by a signal. What needs another call is rare, and
// the program has mostly asked for it: the proof that a thread has ended, for a flight recorder
// whose sub-buffers are all in use; texts and objects in memory; counters; the thread's
// name. In front of such a call stands one that does nothing: shmdt() of an address that cannot be
// one is EINVAL for the kernel, EACCES for OpenSSH's filter, EPERM for Chromium's, and allowed by
// systemd's, which allows the other calls as well. It takes 194 ns on an EPYC's virtual machine.
// From a refusal on, the other calls are not made. A filter that kills for this one would have
// killed for the next one.

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
