// A signal handler that interrupts a change of the runtime's forks: the child runs on, forks and
// exits as it likes, and once its handler has returned tracing is off there for good, every site a
// NOP. The parent's change is done, and its recorder gets a notice of the child.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p "" -k 1024 -- %t
// RUN: %show --python 'any(b.children_lost for b in buffers)' %t.buf
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include "poke.h"
#include <errno.h>
#include <ftrace.h>
#include <signal.h>
#include <sys/wait.h>

static int at_step, how, is_child; // how: 0 exits in the handler, 1 returns from it
UNTRACED static void call_all(void) {
  long before = site_bodies;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  EXPECT_EQ(site_bodies - before, sites_end - sites_begin);
}
UNTRACED static void wait_for(pid_t pid) {
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}
UNTRACED static void fork_again(void) {
  pid_t pid = fork();
  if (pid == 0)
    _exit(0);
  wait_for(pid);
}
UNTRACED static void on_signal(int signal) {
  (void)signal;
  pid_t pid = fork();
  if (pid > 0) {
    wait_for(pid);
    return;
  }
  is_child = 1;
  alarm(300); // ends a child that hangs
  call_all();
  fork_again();
  EXPECT_EQ(tracing_set_tracer("nop"), -EBUSY); // it would wait for what the handler has interrupted
  if (!how)
    exit(failures != 0);
}
UNTRACED static void stop(int step) {
  if (step == at_step && !is_child)
    raise(SIGUSR1);
}
UNTRACED static int in_child(void) { // its handler has returned
  EXPECT(kill_reason() != NULL);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(tracing_set_tracer("function"), -ENODEV);
  call_all();
  fork_again();
  return failures != 0;
}
UNTRACED int main(void) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop"};
  signal(SIGUSR1, on_signal);
  for (int threads = 0; threads < 2; threads++) {
    if (threads)
      start_runners(1);
    for (how = 0; how < 2; how++)
      for (at_step = kPokeOpened; at_step <= kPokeClosed; at_step++)
        for (int i = 0; i < 4; i++) {
          nophook_poke_stop = stop;
          EXPECT_EQ(tracing_set_tracer(kNext[i]), 0);
          nophook_poke_stop = NULL;
          if (is_child)
            return in_child();
          if (!threads)
            call_all();
          fork_again();
        }
    if (threads)
      stop_runners();
  }
  EXPECT_EQ(text_differing(), 0);
  EXPECT(kill_reason() == NULL);
  return failures != 0;
}
