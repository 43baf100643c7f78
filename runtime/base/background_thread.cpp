// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the thread by pthread_create(), with its signals blocked from the first instruction on.

#include "base/background_thread.h"

#include "base/signals.h"

#include <errno.h>
#include <pthread.h>

namespace nophook {
namespace {

constexpr uint64_t bit(int signal) {
  return uint64_t{1} << (signal - 1);
}
// The signal by which the C library's setuid() waits for an answer of each thread.
constexpr int kSetUserIds = 33;

} // namespace

int start_background_thread(void *(*run)(void *), size_t stack_bytes) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int before = errno; // the program's value
  int error;
  {
    // A thread begins with its maker's mask. Not pthread_sigmask(): it would leave the C library's
    // signals unblocked behind it, which the caller may have blocked.
    BlockSignals block(bit(SIGTRAP) | bit(kSetUserIds));
    error = ::pthread_create(&thread, &attributes, run, nullptr);
  }
  ::pthread_attr_destroy(&attributes);
  errno = before;
  return error;
}

} // namespace nophook
