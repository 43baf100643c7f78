// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of threads for events made by text, and a fork child's entry into them.

#include "events/event_pids.h"

#include "base/log.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/trace_buffer.h"
#include "ops/thread.h"
#include "tracers/trace_array.h"

namespace nophook {
namespace {

ChosenThreads g_threads[kTraceArrays];
uint32_t g_any = 0; // bit N: array N has a list

// The process that the lists belong to; a fork child has a copy. The forking thread is known if it
// has had an event.
int32_t g_owner = 0;
thread_local int32_t g_thread __attribute__((tls_model("initial-exec"))) = 0;

// A child's first look at its lists: with event-fork it is in the lists that its parent was in. Two
// threads that come at once add the same number.
__attribute__((noinline)) void adopt_child(int32_t pid) {
  for (uint32_t number = 0; number < kTraceArrays; number++) {
    if (!(array_numbered(number).options & kEventFork))
      continue;
    PidList *const lists[] = {&g_threads[number].only, &g_threads[number].never};
    for (PidList *list : lists) {
      Status added = list->has(g_thread, g_owner) ? list->add(pid) : Status{};
      if (!added.ok())
        log_line("event-fork: a child is in a list of its parent no longer: the list is full");
    }
  }
  __atomic_store_n(&g_owner, pid, __ATOMIC_RELEASE);
}

// The process's number; in a fork child, the lists follow first.
int32_t follow_fork() {
  auto pid = process_id();
  if (__atomic_load_n(&g_owner, __ATOMIC_ACQUIRE) != pid)
    adopt_child(pid);
  return pid;
}

void tell(uint32_t instance) {
  uint32_t bit = 1u << instance;
  g_threads[instance].is_set() ? __atomic_fetch_or(&g_any, bit, __ATOMIC_RELEASE)
                               : __atomic_fetch_and(&g_any, ~bit, __ATOMIC_RELEASE);
}

} // namespace

const PidList &event_pids(uint32_t instance, PidFilter which) {
  follow_fork();
  return g_threads[instance].list(which);
}

Status add_event_pids(uint32_t instance, PidFilter which, const char *text, uint64_t bytes) {
  follow_fork();
  Status status = g_threads[instance].list(which).change(text, bytes, PidList::How::kAdd);
  tell(instance);
  return status;
}

void clear_event_pids(uint32_t instance, PidFilter which) {
  g_threads[instance].list(which).clear();
  tell(instance);
}

uint32_t event_pids_allow() {
  uint32_t any = __atomic_load_n(&g_any, __ATOMIC_ACQUIRE), allowed = ~any;
  if (!any)
    return allowed;
  int32_t tid = this_thread()->tid, pid = follow_fork();
  g_thread = tid;
  for (uint32_t instance = 0; any; instance++, any >>= 1)
    if (any & 1 && g_threads[instance].has(tid, pid))
      allowed |= 1u << instance;
  return allowed;
}

} // namespace nophook
