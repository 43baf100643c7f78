// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "events/event_pids.h"

#include "base/syscall.h"
#include "ops/thread.h"

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

List &list_of(EventPids which) {
  return g_lists[(uint32_t)which];
}

} // namespace

Status add_event_pid(EventPids which, int32_t id) {
  List &list = list_of(which);
  if (list.has(id, id))
    return {};
  if (list.count == kMaxEventPids)
    return failure(ENOSPC, "more than 64 threads and processes");
  list.ids[list.count] = id;
  __atomic_store_n(&list.count, list.count + 1, __ATOMIC_RELEASE);
  return {};
}

void clear_event_pids(EventPids which) {
  __atomic_store_n(&list_of(which).count, 0, __ATOMIC_RELEASE);
}

bool event_pid(EventPids which, uint32_t number, int32_t *id) {
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
  int32_t tid = this_thread()->tid, pid = (int32_t)sys(SYS_getpid);
  return (!only.count || only.has(tid, pid)) && !never.has(tid, pid);
}

} // namespace nophook
