// fork() in a signal handler does not wait for the thread that the handler has interrupted, while
// that loads and unloads an instrumented library: untraced, and traced.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t && env LD_PRELOAD=%runtime %t %t.so 3000
// RUN: %trace -p function -- %t %t.so 1000
#include "program.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
NOINLINE static void here(void) { KEEP(0); }
static volatile int forks;
UNTRACED static void on_alarm(int signal) {
  (void)signal;
  pid_t child = fork();
  if (child == 0) {
    here();
    syscall(SYS_exit_group, 0); // the loader's lock may be held here, for ever
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  forks++;
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  alarm(0), signal(SIGALRM, on_alarm);
  for (int i = 0; i < atoi(arguments[2]); i++) {
    struct itimerval soon = {{0, 0}, {0, 20 + rand() % 300}}, never = {0};
    setitimer(ITIMER_REAL, &soon, NULL);
    void *library = dlopen(arguments[1], RTLD_NOW);
    here();
    EXPECT_EQ(dlclose(library), 0);
    setitimer(ITIMER_REAL, &never, NULL);
  }
  return failures;
}
#endif
