// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of threads' records. Records are never unmapped; one whose thread has ended is taken by
// a new thread. The list of them is pushed to without a lock. A new thread looks at some of them,
// in turns: with a thousand threads that live, a look at each would cost it a thousand system
// calls.

#include "capture/tracer_thread.h"

#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"
#include "base/wiped_pages.h"

namespace nophook {
namespace {

// A record: a page that fork copies, in front of the thread's own pages, which fork zeroes.
struct Record {
  Record *next;
  // Open calls by array; null: not needed so far; a fork child's thread has its parent's.
  OpenCalls *calls[kTraceArrays];
  ThreadVerdict verdicts[kTraceArrays];

  TracerThread *thread() {
    return reinterpret_cast<TracerThread *>(reinterpret_cast<char *>(this) + kPageBytes);
  }
};
static_assert(sizeof(Record) <= kPageBytes);

Record *record_of(const TracerThread *thread) {
  auto address = reinterpret_cast<uintptr_t>(thread) - kPageBytes;
  return reinterpret_cast<Record *>(address);
}

constexpr const char *kNoMemory = "no memory for what a tracer knows of a thread";

Record *g_records = nullptr;
Record *g_turn = nullptr; // the record that is looked at next; null: the first
thread_local TracerThread *g_thread __attribute__((tls_model("initial-exec"))) = nullptr;

bool take(TracerThread *thread, int32_t tid) {
  int32_t owner = __atomic_load_n(&thread->tid, __ATOMIC_RELAXED);
  if (owner && owner != tid)
    return take_from_gone(&thread->tid, owner, tid);
  return owner != kLent && __atomic_compare_exchange_n(&thread->tid, &owner, tid, false,
                                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

TracerThread *make(int32_t tid) {
  void *at;
  if (!map_wiped_behind(kPageBytes, sizeof(TracerThread), kNoMemory, &at).ok())
    return nullptr;
  auto *record = static_cast<Record *>(at);
  TracerThread *thread = record->thread();
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
    if (take(turn->thread(), tid))
      found = turn->thread();
    turn = turn->next;
  }
  __atomic_store_n(&g_turn, turn, __ATOMIC_RELEASE);
  return found;
}

// Makes the record that of a thread that has just begun.
void empty(TracerThread *thread) {
  Record *record = record_of(thread);
  for (uint32_t i = 0; i < kTraceArrays; i++) {
    close_hardware_counters(&thread->in[i].hardware);
    thread->in[i] = {};
    record->verdicts[i] = {};
    if (record->calls[i])
      record->calls[i]->forget();
  }
}

// In a fork child the thread's own is zeroed: it is taken again, with the verdicts on the thread
// that forked.
bool take_again(TracerThread *own, int32_t tid) {
  if (!own || !take(own, tid))
    return false;
  for (ThreadVerdict &verdict : record_of(own)->verdicts)
    verdict.is_parents = true;
  return true;
}

TracerThread *find_or_make() {
  BlockSignals block;
  int32_t tid = storage_thread_id();
  TracerThread *found = g_thread;
  if (take_again(found, tid))
    return found;
  found = find_left(tid);
  if (found)
    empty(found);
  else
    found = make(tid);
  g_thread = found;
  return found;
}

} // namespace

TracerThread *tracer_thread() {
  TracerThread *thread = g_thread;
  return thread && thread->tid ? thread : find_or_make(); // a fork child's is zeroed
}

void close_thread_counters(uint32_t array) {
  for (Record *r = __atomic_load_n(&g_records, __ATOMIC_ACQUIRE); r; r = r->next)
    close_hardware_counters(&r->thread()->in[array].hardware);
}

void forget_profiles(uint32_t array) {
  for (Record *r = __atomic_load_n(&g_records, __ATOMIC_ACQUIRE); r; r = r->next)
    r->thread()->in[array].profile = nullptr;
}

// Signal handlers run here between all lines: the first one makes it.
OpenCalls *open_calls(TracerThread *thread, uint32_t array) {
  OpenCalls **place = &record_of(thread)->calls[array];
  OpenCalls *calls = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (calls)
    return calls;
  auto *made = static_cast<OpenCalls *>(map_pages(sizeof(OpenCalls)));
  if (!made)
    return nullptr;
  if (__atomic_compare_exchange_n(place, &calls, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  unmap_pages(made, sizeof(OpenCalls));
  return calls;
}

ThreadVerdict thread_verdict(const TracerThread *thread, uint32_t array) {
  return record_of(thread)->verdicts[array];
}

void keep_thread_verdict(TracerThread *thread, uint32_t array, ThreadVerdict verdict) {
  record_of(thread)->verdicts[array] = verdict;
}

} // namespace nophook
