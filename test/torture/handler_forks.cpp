// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler that forks where it has interrupted the runtime itself: in the middle of a change,
// while this thread loads a library. The child finds lists that are half-changed and a lock that
// nobody will release. Its functions work, the API says EBUSY, and it forks again.

#include "torture.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {
bool must_not_lock(); // runtime/base/lock.h; the archive's hidden name
}

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
constexpr bool kForks = false; // their own fork handlers wait for locks that a thread may have
#else
constexpr bool kForks = true;
#endif

static bool wait_for(pid_t child) {
  int status = 0;
  bool ended = child > 0 && waitpid(child, &status, 0) == child;
  if (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    constexpr char said[] =
        "ftrace-torture: a handler's child hung, or had no CPU, until its alarm\n";
    (void)!write(STDOUT_FILENO, said, sizeof said - 1);
  }
  return ended && status == 0;
}

// Nothing here may allocate: libc's locks may be held, too.
static int in_child() {
  signal(SIGALRM, SIG_DFL); // a child that hangs dies
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  alarm(kChildSeconds);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  ftrace_ops ops = {};
  ops.func = see;
  if (leaf(2) != 3 || recursive(5) != 6 || register_ftrace_function(&ops) != -EBUSY)
    return 1;
  pid_t child = fork();
  if (child == 0)
    syscall(SYS_exit_group, leaf(2) != 3);
  return !wait_for(child);
}

static void on_signal(int) {
  int error = errno;
  // Elsewhere it may have interrupted libc, whose own locks fork waits for.
  if (nophook::must_not_lock()) {
    pid_t child = fork();
    if (child == 0)
      syscall(SYS_exit_group, in_child());
    if (!wait_for(child))
      fail("a child that a handler has forked in a change failed");
    total_forks++;
  }
  errno = error;
}

HandlerForks::HandlerForks(std::mt19937_64 &random) {
  if (!kForks || random() % 2)
    return;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  action.sa_mask = all_signals();
  sigaction(SIGUSR2, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGUSR2;
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  itimerspec once = {}; // a fork takes longer than what is between two of them would be
  once.it_value.tv_nsec = (long)(20'000 + random() % 2'000'000);
  is_on_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0 &&
           timer_settime(timer_, 0, &once, nullptr) == 0;
}

HandlerForks::~HandlerForks() {
  if (is_on_)
    timer_delete(timer_);
}
