// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning and the end of a forked child.

#include "torture.h"

#include <fmt/format.h>

#include <csignal>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

void begin_child() {
  std::signal(SIGALRM, SIG_DFL); // a child that hangs dies
  alarm(kChildSeconds);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  stop_watching();
}

static std::string how_it_ended(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return fmt::format("hung, or had no CPU, for {} s", kChildSeconds);
  return fmt::format("ended with {:#x}", status);
}

void expect_child(pid_t child, const char *what) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status)
    fail(fmt::format("{} {}", what, how_it_ended(status)));
  total_forks++;
}
