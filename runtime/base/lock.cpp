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
  uint32_t mine = __atomic_fetch_add(&g_next, 1, __ATOMIC_RELAXED);
  for (uint32_t now; (now = __atomic_load_n(&g_serving, __ATOMIC_ACQUIRE)) != mine;)
    sys(SYS_futex, &g_serving, FUTEX_WAIT_PRIVATE, now, nullptr);
}

static void unlock() {
  __atomic_fetch_add(&g_serving, 1, __ATOMIC_RELEASE); // pairs with the load in lock()
  sys(SYS_futex, &g_serving, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

// In a fork child: the other threads, with their tickets, are gone.
static void reset() {
  g_next = g_serving = 0;
}

void runtime_lock() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { pthread_atfork(lock, unlock, reset); });
  lock();
}

void runtime_unlock() {
  unlock();
}

} // namespace nophook
