// Forks while another thread changes tracers: no child hangs, and each can change them, too.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <sys/wait.h>

static int over;
NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void *toggle(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
  }
  return unused;
}
UNTRACED static int child(void) {
  alarm(300); // a child that hangs ends by it
  work();
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}

UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, toggle, NULL);
  for (int i = 0; i < 60 && !failures; i++) {
    pid_t pid = fork();
    if (pid == 0)
      _exit(child());
    int status = 1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  return failures != 0;
}
