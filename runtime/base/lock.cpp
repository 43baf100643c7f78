// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ticket lock that sleeps. Not a pthread mutex: those are unfair, and a child of fork may
// not release the recursive or error-checking ones, since its thread has another id.

#include "base/lock.h"

#include "base/syscall.h"

#include <linux/futex.h>
#include <pthread.h>

namespace nophook {

static uint32_t g_next = 0;    // the ticket that the next comer draws
static uint32_t g_serving = 0; // the ticket whose owner holds the lock

static void lock() {
  uint32_t mine = __atomic_fetch_add(&g_next, 1, __ATOMIC_SEQ_CST);
  for (uint32_t now; (now = __atomic_load_n(&g_serving, __ATOMIC_SEQ_CST)) != mine;)
    sys(SYS_futex, &g_serving, FUTEX_WAIT_PRIVATE, now, nullptr);
}

// Each side writes its counter and then reads the other's: seq_cst, or both could miss the
// other and the comer would sleep for ever. Nobody waits, nobody is woken: a program that is
// not traced passes here once for each module and makes no system call.
static void unlock() {
  uint32_t now = __atomic_add_fetch(&g_serving, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&g_next, __ATOMIC_SEQ_CST) != now)
    sys(SYS_futex, &g_serving, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

// In a fork child: the other threads, with their tickets, are gone.
static void reset() {
  g_next = g_serving = 0;
}

// The handlers are installed by the first holder. (pthread_once would do, for a system call.)
void runtime_lock() {
  static bool installed = false;
  lock();
  if (!installed)
    installed = pthread_atfork(lock, unlock, reset) == 0;
}

void runtime_unlock() {
  unlock();
}

} // namespace nophook
