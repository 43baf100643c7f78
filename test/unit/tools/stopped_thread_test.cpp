// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop from outside leaves no trace in the thread: a system call that it cuts begins again.

#include "process/stop/stopped_thread.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
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

// The child's status if a stop cuts the call, without a check that the thread sleeps.
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

// The timeout's register after some microseconds in the call and in the stop.
uint64_t timeout_behind(long call, uint64_t timeout, int us, int stopped_us = 0) {
  user_regs_struct registers = {};
  registers.orig_rax = (unsigned long long)call;
  registers.r10 = timeout;
  shorten_timeout(&registers, std::chrono::microseconds(us), std::chrono::microseconds(stopped_us));
  return registers.r10;
}

TEST(StoppedThread, TimeoutGoesOn) {
  EXPECT_EQ(timeout_behind(SYS_epoll_wait, 100, 30'000), 70u);
  EXPECT_EQ(timeout_behind(SYS_epoll_pwait, 100, 30'001), 70u); // not early
  EXPECT_EQ(timeout_behind(SYS_epoll_wait, 100, 30'000, 20'000), 50u);
  EXPECT_EQ(timeout_behind(SYS_epoll_wait, 100, 30'000, 500'000), 0u);
  EXPECT_EQ(timeout_behind(SYS_epoll_wait, 100, 100'000), 100u);                 // a later call
  EXPECT_EQ((int32_t)timeout_behind(SYS_epoll_wait, (uint32_t)-1, 500'000), -1); // for ever
  EXPECT_EQ(timeout_behind(SYS_epoll_wait, 0, 500'000), 0u);
  EXPECT_EQ(timeout_behind(SYS_io_getevents, 100, 30'000), 100u); // an address
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

#ifdef __x86_64__
// The child spins in a page below 4 GiB, in 32-bit mode, if the kernel allows that.
TEST(StoppedThread, Code32IsNotJudged) {
  const pid_t child = ::fork();
  if (child == 0) {
    void *page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    std::memcpy(page, "\xeb\xfe", 2); // jmp to itself
    asm volatile("pushq $0x23; pushq %0; lretq" : : "r"(page));
  }
  uint64_t pc = ~uint64_t{0};
  StopResult stop;
  do // until the child is there
    stop = look_at_thread(child, folder_of(child),
                          [&](const ThreadRegisters &registers) { pc = registers.pc; });
  while (stop.reason.empty() && !stop.is_gone && ::waitpid(child, nullptr, WNOHANG) == 0);
  if (::kill(child, SIGKILL) != 0 || ::waitpid(child, nullptr, 0) != child)
    GTEST_SKIP() << "this kernel runs no 32-bit code";
  EXPECT_EQ(stop.reason, "not judged, since it runs 32-bit code");
}
#endif

// The process has memory that other users must not read.
TEST(StoppedThread, RefusalIsExplained) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_DUMPABLE, 0);
    (void)!::write(ends[1], "", 1); // the parent waits for it
    for (volatile bool runs = true; runs;)
      ;
  }
  char byte;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  // Root may trace it; without this right root may not.
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[2] = {}, fewer[2];
  ASSERT_EQ(::syscall(SYS_capget, &header, rights), 0);
  std::memcpy(fewer, rights, sizeof rights);
  fewer[0].effective &= ~(1u << CAP_SYS_PTRACE);
  ASSERT_EQ(::syscall(SYS_capset, &header, fewer), 0);
  const StopResult stop =
      look_at_thread(child, folder_of(child), [](const ThreadRegisters &) { FAIL(); });
  EXPECT_EQ(::syscall(SYS_capset, &header, rights), 0);
  EXPECT_EQ(stop.reason, "not stopped, since the kernel refuses to trace it (ptrace: Operation not "
                         "permitted; it takes CAP_SYS_PTRACE)");
  ::kill(child, SIGKILL);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
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
