// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's lock and its fork handlers. Recursive, because patching may load or unload
// nothing but a library's constructor may run inside a dlopen that we hold no lock for, and
// a fork handler may run in the thread that holds it.

#include "base/lock.h"

namespace nophook {

static pthread_mutex_t g_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_once_t g_once = PTHREAD_ONCE_INIT;

static void lock() {
  pthread_mutex_lock(&g_lock);
}
static void unlock() {
  pthread_mutex_unlock(&g_lock);
}

void runtime_lock() {
  pthread_once(&g_once, [] { pthread_atfork(lock, unlock, unlock); });
  lock();
}

void runtime_unlock() {
  unlock();
}

} // namespace nophook
