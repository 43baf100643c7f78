// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool of thread records and the grace period.
//
// A thread's first callback takes a record, perhaps in a signal handler inside malloc: so no
// libc, no lock, and a record is taken by one compare-and-swap on its thread id. The runtime gets
// no notice when a thread ends. When records run short, it asks the kernel whether the id of a
// record lives. A record with the id of the asking thread was left by a dead thread of that id.

#include "ops/thread.h"
#include "ops/thread_sanitizer.h"

#include "arch/vectors.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "ops/ops.h"
#include "ops/own_stack.h"
#include "ops/signal_frames.h"
#include "ops/unload.h"
#include "poke/poke.h"
#include "poke/threads.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <time.h>

constinit thread_local nophook::CallbackThread *nophook::nophook_thread = nullptr;

namespace nophook {
namespace {

constexpr uint32_t kThreadsPerChunk = 64;

struct Chunk {
  Chunk *next;
  int32_t tids[kThreadsPerChunk]; // thread of each record; 0: free
};
static_assert(sizeof(Chunk) <= kPageBytes);

Chunk *g_chunks = nullptr;
uint64_t g_thread_bytes = 0;
bool g_prepared = false;

Thread *thread_at(Chunk *chunk, uint32_t index) {
  return reinterpret_cast<Thread *>(reinterpret_cast<char *>(chunk) + kPageBytes +
                                    index * g_thread_bytes);
}

// Calls visit(tid, thread) for each record until it returns true.
template <class Visit> bool each_thread(Visit visit) {
  for (Chunk *chunk = __atomic_load_n(&g_chunks, __ATOMIC_ACQUIRE); chunk; chunk = chunk->next)
    for (uint32_t i = 0; i < kThreadsPerChunk; i++)
      if (visit(&chunk->tids[i], thread_at(chunk, i)))
        return true;
  return false;
}

// Takes a record whose id is `from`; null if there is none.
Thread *take(int32_t from, int32_t mine) {
  Thread *taken = nullptr;
  each_thread([&](int32_t *tid, Thread *thread) {
    int32_t expected = from;
    if (__atomic_load_n(tid, __ATOMIC_RELAXED) != from ||
        !__atomic_compare_exchange_n(tid, &expected, mine, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      return false;
    taken = thread;
    return true;
  });
  return taken;
}

// Threads that have ended give their records back. Whether this call has freed any: another thread
// may bury them at the same time.
bool bury_dead() {
  bool any = false;
  each_thread([&](int32_t *tid, Thread *) {
    int32_t id = __atomic_load_n(tid, __ATOMIC_RELAXED);
    any |= id && take_from_gone(tid, id, 0);
    return false;
  });
  return any;
}

bool add_chunk() {
  auto *chunk = static_cast<Chunk *>(
      map_pages(kPageBytes + kThreadsPerChunk * g_thread_bytes, MAP_NORESERVE));
  if (!chunk)
    return false;
  chunk->next = __atomic_load_n(&g_chunks, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&g_chunks, &chunk->next, chunk, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return true;
}

Thread *take_record() {
  int32_t mine = storage_thread_id();
  Thread *thread = mine == kLent ? nullptr : take(mine, mine);
  if (!thread)
    thread = take(0, mine);
  // Records are looked for behind a burial even if it has freed none: another thread's may have
  // freed all of them. The records that this burial has freed may be taken by then, so it is tried
  // again.
  constexpr int kBurials = 4;
  bool any = true;
  for (int i = 0; !thread && any && i < kBurials; i++) {
    any = bury_dead();
    thread = take(0, mine);
  }
  if (!thread && add_chunk())
    thread = take(0, mine);
  return thread;
}

// Cleans up in a fork child: one thread is left, with a new id.
void after_fork(bool is_whole) {
  each_thread([&](int32_t *tid, Thread *thread) {
    *tid = thread == this_thread() ? thread_id() : 0;
    thread->tid = *tid;
    return false;
  });
  if (is_whole)
    finish_all_removals();
}

} // namespace

void *vector_area(Thread *thread, uint32_t index) {
  return reinterpret_cast<char *>(thread) + round_up(sizeof(Thread), 64) +
         index * vector_state_bytes();
}

Status prepare_threads() {
  find_signal_frames();
  if (g_prepared)
    return {};
  prepare_identity(nullptr);
  find_vector_state();
  g_thread_bytes =
      round_up(round_up(sizeof(Thread), 64) + kMaxRunning * vector_state_bytes(), kPageBytes);
  if (!add_chunk())
    return failure(ENOMEM, "no memory for the records of threads");
  if (!at_fork_child(after_fork) || !watch_exit())
    return failure(ENOMEM, "no memory for the handlers of fork and exit");
  g_prepared = true;
  return {};
}

bool thread_is_watched() {
  Thread *thread = this_thread();
  return thread && (thread->tid == kLent ? !is_vfork_child() : thread->tid == own_thread_id());
}

void drop_abandoned(Thread *thread, uint64_t frame) {
  while (thread->running_count) {
    Running *last = &thread->running[thread->running_count - 1];
    if (!is_left(last->frame, frame))
      return;
    // A null `who` marks an entry that is being made, for a handler that comes before its next user
    // is stored.
    *last = {};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->running_count--;
  }
}

constexpr uint64_t kPatienceNs = 1000000000;

static bool membarrier_works() {
  register_core_sync(); // needed in a runtime that was loaded late
  return !sys_failed(sys(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0));
}

// Whether callbacks can be waited for. A thread that is alone has no other's stores to wait for.
Status can_synchronize_callbacks() {
  static bool has_worked = false; // under the lock: the question costs as much as changing a site
  if (has_worked || (has_worked = membarrier_works()) || single_threaded())
    return {};
  return failure(ENOSYS, "the kernel refuses membarrier");
}

// Waits until the thread is outside of the callbacks that it may be in now.
static void wait_for(const int32_t *tid, const Thread *thread) {
  const uint64_t rounds = __atomic_load_n(&thread->callback.rounds, __ATOMIC_ACQUIRE);
  uint64_t waited_ns = 0;
  int32_t owner = kClaimed; // the last owner that was seen
  for (uint64_t wait_ns = 1000;; wait_ns = wait_ns < 1000000 ? wait_ns * 2 : wait_ns) {
    uint64_t active = __atomic_load_n(&thread->callback.active, __ATOMIC_ACQUIRE);
    int32_t id = __atomic_load_n(tid, __ATOMIC_ACQUIRE);
    if (!id || !active || __atomic_load_n(&thread->callback.rounds, __ATOMIC_ACQUIRE) != rounds)
      return;
    if (id != kClaimed)
      owner = id;
    if (wait_ns > 100000 && (is_thread_gone(owner) || is_overwritten(active)))
      return; // it has left by longjmp, and not come back yet
    if (owner == kClaimed && waited_ns >= kPatienceNs)
      return; // its thread has ended, and so has a vfork child that was about to take it
    struct timespec pause = {0, (long)wait_ns};
    sys(SYS_nanosleep, &pause, nullptr);
    bool was_patient = waited_ns >= kPatienceNs;
    waited_ns += wait_ns;
    if (!was_patient && waited_ns >= kPatienceNs && owner != kClaimed) {
      LogText line;
      log_line(line.add("a callback is still running in thread ")
                   .number((uint64_t)owner)
                   .add(": unregistering waits for it"));
    }
  }
}

Status synchronize_callbacks() {
  if (!membarrier_works() && !single_threaded())
    return failure(ENOSYS, "the kernel refuses membarrier");
  Thread *mine = this_thread();
  each_thread([&](int32_t *tid, Thread *thread) {
    if (thread != mine)
      wait_for(tid, thread);
    return false;
  });
  grace_period_ends();
  return {};
}

void give_callbacks_time() {
  constexpr timespec kStep = {0, 1000000};
  constexpr int kSteps = 100;
  // One sleep comes first: callbacks that threads have just begun are visible behind it.
  bool is_any = true;
  for (int step = 0; step < kSteps && is_any; step++) {
    sys(SYS_nanosleep, &kStep, nullptr);
    is_any = each_thread([&](const int32_t *tid, Thread *thread) {
      return thread != this_thread() && __atomic_load_n(tid, __ATOMIC_ACQUIRE) &&
             __atomic_load_n(&thread->callback.active, __ATOMIC_ACQUIRE);
    });
  }
}

bool run_as_callback(void (*body)(void *), void *context) {
  ::ftrace_regs regs; // a grace period needs its place and its mark
  const auto frame = reinterpret_cast<uint64_t>(&regs);
  regs.nested = 0;
  __atomic_store_n(&regs.mark, frame, __ATOMIC_RELAXED);
  CallbackThread *thread = begin_callback_frame(frame);
  if (!thread)
    return false;
  callback_begins();
  body(context);
  callback_ends();
  end_callback_frame(thread, frame);
  return true;
}

extern "C" CallbackThread *nophook_thread_first(uint64_t frame) {
  Thread *thread = take_record();
  if (!thread)
    return nullptr;
  record_is_taken();
  // A signal handler that comes in between takes the same record and leaves it inactive.
  thread->running_count = 0;
  thread->own_stack_user = 0;
  thread->nested_round = 0;
  thread->tid = storage_thread_id();
  nophook_thread = &thread->callback;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&thread->callback.active, frame, __ATOMIC_RELAXED);
  return &thread->callback;
}

extern "C" void nophook_thread_nested(CallbackThread *callback, uint64_t frame) {
  auto *thread = reinterpret_cast<Thread *>(callback);
  uint64_t outermost = __atomic_load_n(&callback->active, __ATOMIC_RELAXED);
  if (is_on_own_stack(thread, frame) || !is_left(outermost, frame)) {
    thread->nested_round = callback->rounds + 1;
    reinterpret_cast<::ftrace_regs *>(frame)->nested = ~frame;
    return;
  }
  thread->running_count = 0;
  thread->own_stack_user = 0;
  __atomic_store_n(&callback->active, frame, __ATOMIC_RELAXED);
}

} // namespace nophook
