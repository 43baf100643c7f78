// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/background_thread.h"

#include <pthread.h>
#include <signal.h>

namespace nophook {

int start_background_thread(void *(*run)(void *), size_t stack_bytes) {
  sigset_t blocked, before; // a thread begins with its maker's mask
  ::sigfillset(&blocked);
  ::sigdelset(&blocked, SIGTRAP);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  ::pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_t thread;
  const int error = ::pthread_create(&thread, &attributes, run, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_attr_destroy(&attributes);
  return error;
}

} // namespace nophook
