// The process ends by exit() while other threads are in callbacks, register and unregister, with
// callbacks on functions that destructors call.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %checked %python -c 'import subprocess, sys; sys.exit(any(subprocess.run(sys.argv[1:], timeout=600).returncode for _ in range(%exit_rounds)))' %t
#include "ops.h"
#include <pthread.h>

NOINLINE static void called(void) { KEEP(0); }
static struct Counted always = COUNTED(0), toggled = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
__attribute__((destructor)) static void at_exit(void) { called(); }
UNTRACED static void *run(void *unused) {
  for (;;)
    called();
  return unused;
}
UNTRACED static void *toggle(void *unused) {
  for (;;) {
    register_ftrace_function(&toggled.ops);
    unregister_ftrace_function(&toggled.ops);
  }
  return unused;
}

UNTRACED int main(void) {
  pthread_t threads[3];
  EXPECT_EQ(register_ftrace_function(&always.ops), 0);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, i ? run : toggle, NULL);
  while (__atomic_load_n(&always.calls, __ATOMIC_RELAXED) < 10000)
    sched_yield();
  exit(failures);
}
