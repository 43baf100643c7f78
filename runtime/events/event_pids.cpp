// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "events/event_pids.h"

#include "base/syscall.h"
#include "ops/thread.h"
#include "tracers/callbacks.h"

#include <errno.h>

namespace nophook {
namespace {

// Callbacks read a list while it grows or is emptied: each of its numbers is whole.
struct List {
  uint32_t count;
  int32_t ids[kMaxEventPids];

  bool has(int32_t tid, int32_t pid) const {
    uint32_t n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
      found = ids[i] == tid || ids[i] == pid;
    return found;
  }
};
List g_lists[2];

// Whose they are; a fork child has a copy. What thread has forked is known if it has come here.
int32_t g_owner = 0;
thread_local int32_t g_thread __attribute__((tls_model("initial-exec"))) = 0;

bool add(List *list, int32_t id) {
  if (list->count == kMaxEventPids)
    return false;
  list->ids[list->count] = id;
  __atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELEASE);
  return true;
}

// A child's first look at its lists: with event-fork it is in those that its parent was in. Two
// threads that come at once add the same number.
__attribute__((noinline)) void adopt_child(int32_t pid) {
  for (List &list : g_lists)
    if (g_trace_options & kEventFork && list.has(g_thread, g_owner) && !list.has(pid, pid))
      add(&list, pid);
  __atomic_store_n(&g_owner, pid, __ATOMIC_RELEASE);
}

// The process's number.
int32_t follow_fork() {
  auto pid = (int32_t)sys(SYS_getpid);
  if (__atomic_load_n(&g_owner, __ATOMIC_ACQUIRE) != pid)
    adopt_child(pid);
  return pid;
}

List &list_of(EventPids which) {
  return g_lists[(uint32_t)which];
}

} // namespace

Status add_event_pid(EventPids which, int32_t id) {
  List &list = list_of(which);
  follow_fork();
  bool is_there = list.has(id, id) || add(&list, id);
  return is_there ? Status{} : failure(ENOSPC, "more than 64 threads and processes");
}

void clear_event_pids(EventPids which) {
  __atomic_store_n(&list_of(which).count, 0, __ATOMIC_RELEASE);
}

bool event_pid(EventPids which, uint32_t number, int32_t *id) {
  follow_fork();
  const List &list = list_of(which);
  if (number >= list.count)
    return false;
  *id = list.ids[number];
  return true;
}

bool event_pids_allow() {
  const List &only = g_lists[0], &never = g_lists[1];
  if (!__atomic_load_n(&only.count, __ATOMIC_RELAXED) &&
      !__atomic_load_n(&never.count, __ATOMIC_RELAXED))
    return true;
  int32_t tid = this_thread()->tid, pid = follow_fork();
  g_thread = tid;
  return (!only.count || only.has(tid, pid)) && !never.has(tid, pid);
}

} // namespace nophook
