// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attaches by PTRACE_SEIZE, and takes each stop that waitpid() reports.

#include "process/stop/held_thread.h"

#include "foundation/file.h"
#include "process/stop/stopped_thread.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

namespace nophook {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr timespec kLongestNap = {0, 1'000'000};

std::string tracer_of(const std::string &folder) {
  const std::string status = read_small_file(folder + "status");
  constexpr std::string_view kField = "\nTracerPid:\t";
  const size_t at = status.find(kField);
  const size_t from = at + kField.size();
  return at == std::string::npos ? "0" : status.substr(from, status.find('\n', from) - from);
}

// The meaning of the kernel's refusal of ptrace().
std::string why_refused(int error) {
  const std::string scope = read_small_file("/proc/sys/kernel/yama/ptrace_scope").substr(0, 1);
  if (error == EPERM && scope >= "1")
    return fmt::format("kernel.yama.ptrace_scope is {}: {} may trace it", scope,
                       scope == "1"   ? "only its parent and root"
                       : scope == "2" ? "only root"
                                      : "no process");
  return fmt::format("the kernel refuses to trace it (ptrace: {}; it takes CAP_SYS_PTRACE)",
                     std::strerror(error));
}

sigset_t child_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

} // namespace

void as_tracer(const std::function<void()> &work) {
  const sigset_t child = child_signal();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &child, &before); // inherited by the new thread, which waits for it
  std::thread([&] {
    // Only this thread gets the priority. Where it is refused, a busy machine may keep the other
    // thread stopped for longer.
    (void)::setpriority(PRIO_PROCESS, 0, -20);
    work();
  }).join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::string HeldThread::refusal(const std::string &folder, int error) {
  if (const std::string tracer = tracer_of(folder); tracer != "0")
    return fmt::format("not stopped, since process {} traces it", tracer);
  return "not stopped, since " + why_refused(error);
}

// The file is empty if this process may not trace the thread.
bool HeldThread::runs() const {
  return read_small_file(folder_ + "syscall").starts_with("running");
}

bool HeldThread::seize() {
  if (::ptrace(PTRACE_SEIZE, tid_, nullptr, (void *)PTRACE_O_TRACESYSGOOD) == 0)
    return true;
  fail(errno);
  return false;
}

bool HeldThread::stop() {
  if (::ptrace(PTRACE_INTERRUPT, tid_, nullptr, nullptr) != 0) {
    fail(errno);
    return false;
  }
  if (!wait(true))
    return false;
  // The requested stop is behind the signals, in front of their handlers' first instruction.
  while (stop_ == Stop::kSignal)
    if (!resume(PTRACE_CONT) || !wait(true))
      return false;
  if (stop_ == Stop::kGroup)
    reason_ = "it is stopped (by SIGSTOP, or job control)";
  return stop_ != Stop::kGroup;
}

bool HeldThread::resume(int request) {
  if (::ptrace((__ptrace_request)request, tid_, nullptr,
               (void *)(intptr_t)std::exchange(signal_, 0)) == 0)
    return true;
  fail(errno);
  return false;
}

bool HeldThread::go_on(Until until) {
  const auto is_there = [&] {
    switch (until) {
    case Until::kSystemCall:
      return stop_ == Stop::kSystemCall;
    case Until::kSignal:
      return stop_ == Stop::kSignal;
    case Until::kStop:
      return stop_ == Stop::kAsked || stop_ == Stop::kGroup;
    }
    return false;
  };
  do {
    if (!resume(until == Until::kSystemCall ? PTRACE_SYSCALL : PTRACE_CONT) || !wait(false))
      return false;
  } while (!is_there());
  return true;
}

bool HeldThread::take(int status) {
  if (!WIFSTOPPED(status)) {
    is_gone_ = true;
    return false;
  }
  // A signal that comes at this moment is passed on to the thread.
  const int signal = WSTOPSIG(status);
  stop_ = status >> 16                 ? (signal == SIGTRAP ? Stop::kAsked : Stop::kGroup)
          : signal == (SIGTRAP | 0x80) ? Stop::kSystemCall
                                       : Stop::kSignal;
  signal_ = stop_ == Stop::kSignal ? signal : 0;
  return true;
}

bool HeldThread::wait(bool has_end) {
  const auto end = Clock::now() + kPatience;
  const sigset_t child = child_signal();
  for (;;) {
    int status = 0;
    const pid_t found = ::waitpid(tid_, &status, __WALL | __WNOTHREAD | (has_end ? WNOHANG : 0));
    if (found == tid_)
      return take(status);
    if (found < 0 && errno == EINTR)
      continue;
    if (found != 0) {
      is_gone_ = true;
      return false;
    }
    if (Clock::now() >= end) {
      reason_ = "not stopped: the kernel has not done so for half a second";
      return false;
    }
    // The wait is a sleep, since a busy machine runs a thread that wakes at once, and a thread that
    // yields late. The nap's end is for a parent that has left us SIGCHLD ignored.
    ::sigtimedwait(&child, nullptr, &kLongestNap);
  }
}

void HeldThread::run_on() {
  (void)resume(PTRACE_CONT); // a failure is ignored: the next step sees that it is gone
}

void HeldThread::let_go() {
  ::ptrace(PTRACE_DETACH, tid_, nullptr, (void *)(intptr_t)std::exchange(signal_, 0));
}

void HeldThread::fail(int error) {
  if (error == ESRCH)
    is_gone_ = true;
  else
    reason_ = refusal(folder_, error);
}

void HeldThread::explain(StopResult *result) const {
  result->is_gone = is_gone_;
  result->reason = reason_;
}

} // namespace nophook
