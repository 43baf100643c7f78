// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records are never unmapped; one whose thread has ended is taken by a new thread. The list of them
// is pushed to without a lock.

#include "tracers/thread.h"

#include "base/memory.h"
#include "base/signals.h"

#include <errno.h>

namespace nophook {
namespace {

// A page of its own kind for each record: its second part is zeroed by fork, the first is not.
struct Record {
  Record *next;
  TracerThread *thread;
};

Record *g_records = nullptr;
thread_local TracerThread *g_thread __attribute__((tls_model("initial-exec"))) = nullptr;
// Epoch << 1 | is_chosen; copied by fork.
thread_local uint64_t g_verdict __attribute__((tls_model("initial-exec"))) = 0;

bool take(TracerThread *thread, int32_t tid, long pid) {
  int32_t owner = __atomic_load_n(&thread->tid, __ATOMIC_RELAXED);
  if (owner && owner != tid && sys(SYS_tgkill, pid, owner, 0) != -ESRCH)
    return false;
  return __atomic_compare_exchange_n(&thread->tid, &owner, tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

TracerThread *make() {
  uint64_t bytes = round_up(sizeof(TracerThread), kPageBytes);
  auto *record = static_cast<Record *>(map_pages(kPageBytes + bytes, MAP_NORESERVE));
  if (!record)
    return nullptr;
  auto *thread = reinterpret_cast<TracerThread *>(reinterpret_cast<char *>(record) + kPageBytes);
  if (sys_failed(sys(SYS_madvise, thread, bytes, 18 /* MADV_WIPEONFORK */))) {
    unmap_pages(record, kPageBytes + bytes);
    return nullptr;
  }
  record->thread = thread;
  thread->tid = (int32_t)sys(SYS_gettid);
  record->next = __atomic_load_n(&g_records, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&g_records, &record->next, record, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return thread;
}

TracerThread *find_or_make() {
  BlockSignals block;
  auto tid = (int32_t)sys(SYS_gettid);
  long pid = sys(SYS_getpid);
  TracerThread *found = nullptr;
  for (Record *r = __atomic_load_n(&g_records, __ATOMIC_ACQUIRE); r && !found; r = r->next)
    if (take(r->thread, tid, pid))
      found = r->thread;
  if (found) {
    found->epoch = 0;
    found->last = {};
    found->mark_time = 0;
    close_hardware_counters(&found->hardware);
    found->calls.forget();
  } else {
    found = make();
  }
  g_thread = found;
  return found;
}

} // namespace

TracerThread *tracer_thread() {
  TracerThread *thread = g_thread;
  return thread && thread->tid ? thread : find_or_make(); // a fork child's is zeroed
}

void close_thread_counters() {
  for (Record *r = __atomic_load_n(&g_records, __ATOMIC_ACQUIRE); r; r = r->next)
    close_hardware_counters(&r->thread->hardware);
}

bool inherited_verdict(uint32_t epoch, bool *is_chosen) {
  *is_chosen = g_verdict & 1;
  return g_verdict >> 1 == epoch;
}

void remember_verdict(uint32_t epoch, bool is_chosen) {
  g_verdict = (uint64_t)epoch << 1 | is_chosen;
}

} // namespace nophook
