// `patch list` and `status` show the patches of a process that serves, and the threads that a
// transition waits for by number and name; `set` switches a patch off.
// RUN: rm -rf %t.run && mkdir %t.run && %traced_cc -D_GNU_SOURCE -I %S/../../../include -I %S/../../support -O1 %s -o %t %linked
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/status.py %nophook %lib/libnophook.so %t
#include "klp.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int leave, tid;
NOINLINE int waits(void) { int n = 1; KEEP(&n); set(&tid, (int)syscall(SYS_gettid)); wait_until(&leave, 1); return n; }
NOINLINE int new_waits(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(waits, new_waits));

UNTRACED static void *run(void *unused) {
  pthread_setname_np(pthread_self(), "waiting-here");
  waits();
  return unused;
}

// Each line is a step, and is answered.
UNTRACED int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  char line[64];
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  while (fgets(line, sizeof line, stdin)) {
    if (strcmp(line, "tid\n") == 0) {
      while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
        sched_yield();
      printf("%d\n", tid);
    } else if (strcmp(line, "enable\n") == 0) {
      printf("%d\n", klp_enable_patch(&patch));
    } else {
      set(&leave, 1);
      pthread_join(thread, NULL);
      wait_for_patch(&patch);
      printf("%d\n", waits());
    }
  }
  return failures;
}
