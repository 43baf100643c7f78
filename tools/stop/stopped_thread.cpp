// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stop/stopped_thread.h"

#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>

namespace nophook {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr timespec kLongestNap = {0, 1'000'000};
constexpr uint64_t kRedZoneBytes = 128; // below the stack pointer, which functions may use
constexpr size_t kCopiedBytes = 1 << 20;

// What the kernel says about the thread; the file is empty for those who may not trace it.
bool runs(const std::string &folder) {
  return read_small_file(folder + "syscall").starts_with("running");
}

std::string tracer_of(const std::string &folder) {
  const std::string status = read_small_file(folder + "status");
  constexpr std::string_view kField = "\nTracerPid:\t";
  const size_t at = status.find(kField);
  const size_t from = at + kField.size();
  return at == std::string::npos ? "0" : status.substr(from, status.find('\n', from) - from);
}

std::string refusal(const std::string &folder, int error) {
  if (const std::string tracer = tracer_of(folder); tracer != "0")
    return fmt::format("not stopped, since process {} traces it", tracer);
  return fmt::format("not stopped, since the kernel refuses to trace it (ptrace: {}; "
                     "kernel.yama.ptrace_scope, or it needs root)",
                     std::strerror(error));
}

sigset_t child_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

class Stop {
public:
  Stop(int32_t tid, const std::string &folder, StopResult *result)
      : tid_(tid), folder_(folder), result_(result) {}

  // Ends in any case with a thread that runs, at the latest when the calling thread ends.
  void look(const std::function<void(const ThreadRegisters &)> &look) {
    if (!seize())
      return;
    const auto begin = Clock::now();
    if (::ptrace(PTRACE_INTERRUPT, tid_, nullptr, nullptr) != 0)
      return fail(errno);
    if (!wait())
      return;
    const auto stopped = Clock::now();
    restart_cut_call(tid_);
    ThreadRegisters registers;
    const int error = read_registers(tid_, &registers);
    if (!error)
      look(registers);
    ::ptrace(PTRACE_DETACH, tid_, nullptr, (void *)(intptr_t)signal_);
    const auto now = Clock::now();
    result_->stood = now - stopped;
    result_->took = now - begin;
    if (error == ENOEXEC)
      result_->reason = "not judged, since it runs 32-bit code";
    else if (error)
      fail(error);
  }

private:
  bool seize() {
    if (::ptrace(PTRACE_SEIZE, tid_, nullptr, nullptr) != 0) {
      fail(errno);
      return false;
    }
    // It may have fallen asleep in the meantime: then the end of this thread of ours releases it.
    const bool is_running = runs(folder_);
    if (!is_running)
      result_->reason = "not stopped, since it sleeps";
    return is_running;
  }

  bool wait() {
    const auto end = Clock::now() + kPatience;
    const sigset_t child = child_signal();
    for (;;) {
      int status = 0;
      const pid_t found = ::waitpid(tid_, &status, __WALL | __WNOTHREAD | WNOHANG);
      if (found == tid_ && WIFSTOPPED(status)) {
        // A signal that comes at this moment goes on to the thread.
        signal_ = status >> 16 ? 0 : WSTOPSIG(status);
        return true;
      }
      if (found != 0) {
        result_->is_gone = true;
        return false;
      }
      if (Clock::now() >= end) {
        result_->reason = "not stopped: the kernel has not done so for half a second";
        return false;
      }
      // Asleep, since a busy machine runs what wakes at once, and what yields late. The nap's end
      // is for a parent that has left us SIGCHLD ignored.
      ::sigtimedwait(&child, nullptr, &kLongestNap);
    }
  }

  void fail(int error) {
    if (error == ESRCH)
      result_->is_gone = true;
    else
      result_->reason = refusal(folder_, error);
  }

  int32_t tid_;
  const std::string &folder_;
  StopResult *result_;
  int signal_ = 0;
};

} // namespace

bool read_memory(int32_t tid, uint64_t address, void *to, size_t bytes) {
  iovec here = {to, bytes}, there = {(void *)address, bytes};
  return ::process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

StopResult look_at_thread(int32_t tid, const std::string &folder,
                          const std::function<void(const ThreadRegisters &)> &look) {
  StopResult result;
  if (const std::string state = read_small_file(folder + "syscall"); state.empty()) {
    result.is_gone = read_small_file(folder + "stat").empty();
    if (!result.is_gone)
      result.reason = refusal(folder, EPERM);
    return result;
  } else if (!state.starts_with("running")) {
    result.reason = "not stopped, since it sleeps";
    return result;
  }
  const sigset_t child = child_signal();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &child, &before); // in the new thread, too, which waits for it
  std::thread([&] {
    // Of this thread alone. Where it is refused, a busy machine may keep the other one standing.
    (void)::setpriority(PRIO_PROCESS, 0, -20);
    Stop(tid, folder, &result).look(look);
  }).join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

void ThreadCopy::make_room() {
  bytes.resize(kCopiedBytes);
}

void ThreadCopy::take(int32_t tid, const ThreadRegisters &from, uint64_t end) {
  registers = from;
  stack = from.sp - kRedZoneBytes;
  used = end > stack ? std::min<uint64_t>(end - stack, bytes.size()) : 0;
  if (used && !read_memory(tid, stack, bytes.data(), used))
    used = 0;
}

bool ThreadCopy::read(uint64_t address, void *to, size_t count) const {
  if (address < stack || count > used || address - stack > used - count)
    return false;
  std::memcpy(to, bytes.data() + (address - stack), count);
  return true;
}

} // namespace nophook
