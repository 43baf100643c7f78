// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key whose destructor reports a thread's end, and the handlers of exit().

#include "tracers/thread_end.h"

#include "arch/vectors.h"
#include "base/keep_vectors.h"
#include "base/lock.h"
#include "buffer/own_rings.h"
#include "tracers/trace_array.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

namespace nophook {
namespace {

constexpr pthread_key_t kKeysWithoutMemory = 32;
#ifdef NOPHOOK_THREAD_SANITIZER
constexpr uintptr_t kLastRound =
    // The round of destructors that ends the thread, the last one.
    PTHREAD_DESTRUCTOR_ITERATIONS - 1;
#else
constexpr uintptr_t kLastRound = PTHREAD_DESTRUCTOR_ITERATIONS;
#endif
pthread_key_t g_key;
// libc's function by its address: the first call through a lazy PLT entry takes 3 KiB of stack.
int (*volatile g_set)(pthread_key_t, const void *) = pthread_setspecific;

// Ends the thread in all arrays. An instance is removed under the lock.
void end_thread() {
  auto end_in = [](Buffer &buffer) {
    write_end(buffer, NOPHOOK_END_THREAD);
    leave_ring(buffer);
  };
  end_in(g_buffer);
  if (g_own_rings) {
    RuntimeLock lock;
    for (uint32_t number = 1; number < kTraceArrays; number++)
      if (trace_array &instance = array_numbered(number); instance.state == trace_array::kThere)
        end_in(instance.buffer());
    leave_own_rings();
  }
}

// The destructor. Destructors of the program's own values call traced functions, too, so it waits
// for the last round.
void on_thread_end(void *value) {
  auto round = reinterpret_cast<uintptr_t>(value);
  if (round < kLastRound)
    pthread_setspecific(g_key, reinterpret_cast<void *>(round + 1));
  else
    end_thread();
}

// Ends the process. A handler that calls exit() may have interrupted the holder of the lock: then
// instances get no notice.
void on_exit() {
  write_end(g_buffer, NOPHOOK_END_PROCESS);
}

void on_thread_begin() {
  keep_vectors([] { g_set(g_key, reinterpret_cast<void *>(uintptr_t{1})); });
}

} // namespace

void tell_thread_ends() {
  static bool is_told = false;
  if (is_told)
    return;
  is_told = true;
  atexit(on_exit);
  find_vector_state();
  if (pthread_key_create(&g_key, on_thread_end) != 0)
    return;
  if (g_key < kKeysWithoutMemory)
    __atomic_store_n(&g_thread_begins, on_thread_begin, __ATOMIC_RELEASE);
  else
    pthread_key_delete(g_key);
}

} // namespace nophook
