// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop from outside leaves no trace in the thread: a system call that it cuts begins again.

#include "stop/stopped_thread.h"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nophook;

namespace {

std::string folder_of(pid_t pid) {
  return "/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/";
}

void wait_until(pid_t pid, char state) {
  for (std::string stat; stat.find(std::string(") ") + state) == std::string::npos;) {
    char text[512] = {};
    FILE *file = std::fopen((folder_of(pid) + "stat").c_str(), "r");
    ASSERT_TRUE(file && std::fgets(text, sizeof text, file));
    std::fclose(file);
    stat = text;
  }
}

// Waits for an event on the pipe, and ends with 0, or with the error.
pid_t start_waiting(int (&ends)[2]) {
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    epoll_event event = {.events = EPOLLIN, .data = {}};
    const int set = ::epoll_create1(0);
    ::epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
    ::_exit(::epoll_wait(set, &event, 1, -1) == 1 ? 0 : errno);
  }
  wait_until(child, 'S');
  return child;
}

// What becomes of the call if a stop cuts it, without a look at whether the thread sleeps.
int status_after_cut(bool restarts) {
  int ends[2], status = 0;
  const pid_t child = start_waiting(ends);
  EXPECT_EQ(::ptrace(PTRACE_SEIZE, child, nullptr, nullptr), 0);
  EXPECT_EQ(::ptrace(PTRACE_INTERRUPT, child, nullptr, nullptr), 0);
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (restarts) {
    EXPECT_TRUE(restart_cut_call(child));
  }
  EXPECT_EQ(::ptrace(PTRACE_DETACH, child, nullptr, nullptr), 0);
  if (restarts)
    wait_until(child, 'S');
  EXPECT_EQ(::write(ends[1], "", 1), 1);
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

} // namespace

#ifdef __x86_64__
TEST(StoppedThread, CutCallBeginsAgain) {
  EXPECT_EQ(status_after_cut(false), EINTR);
  EXPECT_EQ(status_after_cut(true), 0);
}
#endif

TEST(StoppedThread, SleeperIsNotStopped) {
  int ends[2], status = 0;
  const pid_t child = start_waiting(ends);
  bool is_seen = false;
  const StopResult stop =
      look_at_thread(child, folder_of(child), [&](const ThreadRegisters &) { is_seen = true; });
  EXPECT_EQ(stop.reason, "not stopped, since it sleeps");
  EXPECT_FALSE(is_seen);
  EXPECT_EQ(::write(ends[1], "", 1), 1);
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StoppedThread, RunsOn) {
  const pid_t child = ::fork();
  if (child == 0)
    for (volatile bool runs = true; runs;)
      ;
  wait_until(child, 'R');
  uint64_t pc = 0;
  const StopResult stop = look_at_thread(
      child, folder_of(child), [&](const ThreadRegisters &registers) { pc = registers.pc; });
  EXPECT_EQ(stop.reason, "");
  EXPECT_NE(pc, 0u);
  wait_until(child, 'R');
  ::kill(child, SIGKILL);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(look_at_thread(child, folder_of(child), [](const ThreadRegisters &) {}).is_gone);
}
