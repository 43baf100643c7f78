// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock that sleeps. Not a pthread mutex: a child of fork may not release the recursive or
// error-checking ones, since its thread has another id, and no other kind knows its owner. Not a
// ticket lock: a signal handler cannot know whether the thread that it has interrupted has just
// drawn a ticket, and would wait behind it for ever. Here one store says which thread holds the
// lock and what for; a thread that waits has nothing that others wait for.

#include "base/lock.h"

#include "arch/clock.h"
#include "base/fork_page.h"
#include "base/own_identity.h"
#include "base/safe_read.h"
#include "base/signals.h"
#include "base/syscall.h"
#include "base/wiped_pages.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <time.h>

namespace nophook {
namespace {

// A bit beside the thread: fork holds the lock, and nothing is half-changed.
constexpr uint64_t kForFork = 1;
// Longest sleep while the thread that is next is in a handler.
constexpr timespec kMostAsleep = {0, 2'000'000};
constexpr uint32_t kMostChildren = 8;

NOPHOOK_WITH_FORK uint64_t g_owner = 0;  // address of the owning thread; 0: the lock is free
NOPHOOK_WITH_FORK uint32_t g_asleep = 0; // number of threads that sleep, or are about to
NOPHOOK_WITH_FORK uint32_t g_turn = 0;   // a number that changes when one of them is woken
// Number of forks so far: a child does not count its parent's sleepers.
NOPHOOK_WITH_FORK uint32_t g_forks = 0;
// Number of forks under way in handlers of the holder, which owns it.
NOPHOOK_WITH_FORK uint32_t g_nested = 0;
NOPHOOK_WITH_FORK bool g_is_cut =
    false; // true in a child whose holder was forked in the middle of a change
NOPHOOK_WITH_FORK bool g_has_forked = false;
NOPHOOK_WITH_FORK Forking g_forking; // facts about the thread that holds the lock for fork
bool g_installed = false;            // whether the handlers of fork are installed
ForkChild g_children[kMostChildren];
uint32_t g_child_count = 0;
void (*g_cut_change_ends)() = nullptr;

// Not pthread_self(): a fork child would pay for two more pages of code.
uint64_t this_thread() {
  return reinterpret_cast<uint64_t>(thread_pointer());
}

uint64_t owner() {
  return __atomic_load_n(&g_owner, __ATOMIC_RELAXED);
}

bool is_mine() {
  return (owner() & ~kForFork) == this_thread();
}

bool try_lock(uint64_t mine) {
  uint64_t nobody = 0;
  return __atomic_compare_exchange_n(&g_owner, &nobody, mine, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED);
}

// Each side writes its word and then reads the other's, so both are seq_cst: a thread that is
// about to sleep counts itself and then looks whether the lock is free, unlock() frees it and then
// looks at the count. A lock that nobody waits for costs no system call.
void lock(uint64_t what_for) {
  const uint64_t mine = this_thread() | what_for;
  for (bool is_new = true;; is_new = false) {
    uint32_t turn = __atomic_load_n(&g_turn, __ATOMIC_SEQ_CST);
    bool is_behind = is_new && __atomic_load_n(&g_asleep, __ATOMIC_SEQ_CST);
    if (!is_behind && try_lock(mine))
      return;
    uint32_t forks = __atomic_load_n(&g_forks, __ATOMIC_RELAXED);
    uint32_t others = __atomic_fetch_add(&g_asleep, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&g_owner, __ATOMIC_SEQ_CST) || (is_behind && others))
      sys(SYS_futex, &g_turn, FUTEX_WAIT_PRIVATE, turn, &kMostAsleep);
    if (forks ==
        __atomic_load_n(&g_forks, __ATOMIC_RELAXED)) // else the sleeper was counted by a parent
      __atomic_fetch_sub(&g_asleep, 1, __ATOMIC_SEQ_CST);
  }
}

void unlock() {
  __atomic_store_n(&g_owner, 0, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&g_asleep, __ATOMIC_SEQ_CST))
    return;
  __atomic_fetch_add(&g_turn, 1, __ATOMIC_SEQ_CST);
  sys(SYS_futex, &g_turn, FUTEX_WAKE_PRIVATE, 1);
}

void before_fork() {
  if (is_mine())
    g_nested++;
  else if (!g_is_cut) // a thread of such a child: the holder of the lock may never release it
    lock(kForFork);
  g_has_forked = true;
  hold_safe_reads();
  identity_before_fork(&g_forking);
}

void in_parent() {
  release_safe_reads();
  if (!is_mine())
    return;
  if (g_nested)
    g_nested--;
  else
    unlock();
}

// The child's side of a fork: the other threads are gone. A lock that this thread holds stays as it
// is, below the handler that forks.
void in_child() {
  wipe_if_ignored();
  identity_follows_fork(g_forking);
  forget_safe_reads();
  g_asleep = 0;
  g_forks++;
  if (is_mine() && !g_nested)
    g_owner = 0;
  else if (g_nested)
    g_nested--;
  g_is_cut = g_owner && !(g_owner & kForFork);
  for (uint32_t i = 0; i < g_child_count; i++)
    g_children[i](!g_is_cut);
}

} // namespace

// pthread_once would do for the handlers, for a system call each time. A handler that forks waits
// for pthread_atfork's own lock.
void runtime_lock() {
  lock(0);
  if (g_installed)
    return;
  BlockSignals block;
  g_installed = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

void runtime_unlock() {
  if (g_is_cut) {
    if (g_cut_change_ends)
      g_cut_change_ends();
    g_is_cut = false;
  }
  unlock();
}

bool must_not_lock() {
  return g_is_cut || is_mine();
}

bool at_fork_child(ForkChild child) {
  for (uint32_t i = 0; i < g_child_count; i++)
    if (g_children[i] == child)
      return true;
  if (!g_installed || g_child_count == kMostChildren)
    return false;
  g_children[g_child_count++] = child;
  return true;
}

bool has_forked() {
  return g_has_forked;
}

void when_cut_change_ends(void (*ends)()) {
  g_cut_change_ends = ends;
}

} // namespace nophook
