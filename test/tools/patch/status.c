// `patch list` and `status` show the patches of a process that serves, and the threads that a
// transition waits for by number and name, and fibers by their stack and function; `set` switches a patch off.
// RUN: rm -rf %t.run && mkdir %t.run && %traced_cc -D_GNU_SOURCE -I %S/../../../include -I %S/../../support -O1 %s -o %t %linked
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/status.py %nophook %lib/libnophook.so %t
#include "klp_fibers.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int leave, tid;
static struct Fiber own, fiber;
NOINLINE void suspends(void) { switch_fiber(&fiber, &own); __asm__ volatile(""); }
NOINLINE void new_suspends(void) { __asm__ volatile("nop"); }
UNTRACED static void body(void) {
  klp_fiber_finish_switch();
  suspends();
  klp_fiber_start_switch(NULL);
}
NOINLINE int waits(void) { int n = 1; KEEP(&n); set(&tid, (int)syscall(SYS_gettid)); wait_until(&leave, 1); return n; }
NOINLINE int new_waits(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(waits, new_waits), FUNC(suspends, new_suspends));

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
    } else if (strcmp(line, "suspend a fiber\n") == 0) {
      make_fiber(&fiber, body, &own);
      switch_fiber(&own, &fiber);
      printf("%lx\n", (unsigned long)fiber.stack);
    } else if (strcmp(line, "resume it\n") == 0) {
      switch_fiber(&own, &fiber);
      end_fiber(&fiber);
      printf("0\n");
    } else {
      set(&leave, 1);
      pthread_join(thread, NULL);
      wait_for_patch(&patch);
      printf("%d\n", waits());
    }
  }
  return failures;
}
