// Under a debugger a batch that needs int3 is refused and changes nothing, on and off; the same
// batch works when the debugger has gone.
// REQUIRES: strace
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 4096 -- %t
#include "sites.h"
#include "text.h"
#include <errno.h>
#include <ftrace.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static int pipe_ends[2];
UNTRACED static void *run(void *unused) { return pause(), unused; }
// A child that seizes us, and lets go when the pipe says so.
UNTRACED static pid_t attach(void) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  EXPECT_EQ(pipe(pipe_ends), 0);
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    char byte = ptrace(PTRACE_SEIZE, parent, 0, 0) == 0;
    write(ready[1], &byte, 1);
    close(pipe_ends[1]);
    read(pipe_ends[0], &byte, 1);
    _exit(0); // and so detaches
  }
  char byte = 0;
  EXPECT(read(ready[0], &byte, 1) == 1 && byte == 1);
  return pid;
}
UNTRACED static void detach(pid_t pid) {
  close(pipe_ends[1]);
  close(pipe_ends[0]);
  waitpid(pid, NULL, 0);
}
UNTRACED static long call_all(void) {
  long before = site_bodies;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  return site_bodies - before - (sites_end - sites_begin);
}

UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pid_t debugger = attach();
  EXPECT_EQ(tracing_set_tracer("function"), -EBUSY);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(call_all(), 0);
  detach(debugger);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(call_all(), 0);
  debugger = attach();
  EXPECT_EQ(tracing_set_tracer("nop"), -EBUSY);
  EXPECT_EQ(call_all(), 0);
  EXPECT(tracing_set_tracer("function_graph") <= 0);
  EXPECT_EQ(call_all(), 0);
  detach(debugger);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  EXPECT_EQ(call_all(), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
