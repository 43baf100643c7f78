// Without membarrier a program with one thread is traced; with more, tracing is refused.
// RUN: %traced_cc -O1 %s -o %t -static %static
// RUN: %trace_linked -p '' -- %t first > %t.out && %show --expect %t.out %t.buf
#include "refuse.h"
#include "text.h"
#include <ftrace.h>
#include <pthread.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void *run(void *unused) { return pause(), unused; }
UNTRACED int main(int count, char **arguments) {
  if (count == 2) { // the constructor has registered already: let it find the refusal
    refuse(SYS_membarrier, 0, 0, ENOSYS);
    execl("/proc/self/exe", arguments[0], (char *)NULL);
  }
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  EXPECT_EQ(tracing_set_tracer("function"), -ENOSYS);
  EXPECT_EQ(text_differing(), 0);
  work();
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  printf("work 1\n");
  return failures;
}
