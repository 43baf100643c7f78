// A limit on file sizes (ulimit -f) that is lowered while the program is traced costs what cannot be
// written: the list of a library, a snapshot, a profile. No SIGXFSZ kills the program or stays pending.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -s 'set_ftrace_filter=work,snap:snapshot' -- %t %t.so
// RUN: %trace -p function -s 'set_ftrace_filter=work,snap:snapshot' -- %t %t.so blocked
// RUN: %trace -p profile -- %t %t.so
// RUN: %trace -p profile -- %t %t.so blocked
#include "program.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

NOINLINE void work(void) { KEEP(0); }
NOINLINE void snap(void) { KEEP(0); }
UNTRACED static void *another(void *unused) {
  work();
  return unused;
}
UNTRACED int main(int count, char **arguments) {
  work();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  EXPECT_EQ(sigprocmask(count > 2 ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL), 0);
  struct rlimit limit = {4096, 4096};
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  snap();
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, another, NULL), 0);
  pthread_join(thread, NULL);
  limit.rlim_cur = 0;
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  void *library = dlopen(arguments[1], RTLD_NOW);
  EXPECT(library);
  ((void (*)(void))dlsym(library, "in_library"))();
  work();
  EXPECT(sigpending(&signals) == 0 && !sigismember(&signals, SIGXFSZ));
  return failures != 0;
}
#endif
