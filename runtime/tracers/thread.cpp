// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records are never unmapped; one whose thread has ended is taken by a new thread. The list of them
// is pushed to without a lock. A new thread looks at some of them, in turns: with a thousand
// threads that live, a look at each would cost it a thousand system calls.

#include "tracers/thread.h"

#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"

namespace nophook {
namespace {

// A page of its own kind for each record: its second part is zeroed by fork, the first is not.
struct Record {
  Record *next;
  TracerThread *thread;
};

Record *g_records = nullptr;
Record *g_turn = nullptr; // the one that is looked at next; null: the first
thread_local TracerThread *g_thread __attribute__((tls_model("initial-exec"))) = nullptr;
// Epoch << 1 | is_chosen; copied by fork.
thread_local uint64_t g_verdict __attribute__((tls_model("initial-exec"))) = 0;

bool take(TracerThread *thread, int32_t tid) {
  int32_t owner = __atomic_load_n(&thread->tid, __ATOMIC_RELAXED);
  if (owner && (owner == kLent || (owner != tid && !is_thread_gone(owner))))
    return false;
  return __atomic_compare_exchange_n(&thread->tid, &owner, tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

TracerThread *make(int32_t tid) {
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
  thread->tid = tid;
  record->next = __atomic_load_n(&g_records, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&g_records, &record->next, record, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return thread;
}

TracerThread *find_left(int32_t tid) {
  constexpr int kLooks = 16;
  TracerThread *found = nullptr;
  Record *turn = __atomic_load_n(&g_turn, __ATOMIC_ACQUIRE);
  for (int look = 0; look < kLooks && !found; look++) {
    if (!turn && !(turn = __atomic_load_n(&g_records, __ATOMIC_ACQUIRE)))
      break;
    if (take(turn->thread, tid))
      found = turn->thread;
    turn = turn->next;
  }
  __atomic_store_n(&g_turn, turn, __ATOMIC_RELEASE);
  return found;
}

TracerThread *find_or_make() {
  BlockSignals block;
  int32_t tid = is_vfork_child() ? kLent : thread_id();
  TracerThread *found = find_left(tid);
  if (found) {
    found->epoch = 0;
    found->last = {};
    found->mark_time = 0;
    close_hardware_counters(&found->hardware);
    found->calls.forget();
  } else {
    found = make(tid);
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
