// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of another process that a thread of ours traces: it is stopped, looked at, and let go.
//
// The kernel detaches what a thread of ours has attached when that thread ends, however it ends. So
// all of this is done in a thread of its own, as_tracer(): nothing is left attached or stopped,
// also if the other thread does not stop, or the command is killed. The stop is made by
// PTRACE_SEIZE and PTRACE_INTERRUPT, which no signal of the process is needed for.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace nophook {

struct StopResult;

// Runs `work` in a thread of its own, of a high priority where that is allowed, and waits for it.
// SIGCHLD is blocked in the meantime.
void as_tracer(const std::function<void()> &work);

class HeldThread {
public:
  // For the thread with this number and folder in /proc (`/proc/PID/task/TID/`).
  HeldThread(int32_t tid, std::string folder) : tid_(tid), folder_(std::move(folder)) {}

  int32_t tid() const { return tid_; }
  const std::string &folder() const { return folder_; }

  // False: reason() says why, or is_gone(). Signals for it are delivered on the way to the stop.
  bool seize();
  bool stop();

  // It goes on until the start or the end of its next system call, until the stop that
  // PTRACE_INTERRUPT asks for, or until a signal is about to be delivered to it, however long that
  // takes. Signals for it are delivered on the way, and the handler of one may run first: the
  // registers show whether the thread is where the caller expects it.
  enum class Until : uint8_t { kSystemCall, kStop, kSignal };
  bool go_on(Until until);

  // The signal that is about to be delivered, and that is forgotten so; 0: none is.
  int signal() const { return signal_; }
  void drop_signal() { signal_ = 0; }

  // It runs on until stop() is called again.
  void run_on();

  // A signal that has come for it is delivered. Behind this, seize() is possible again.
  void let_go();

  // Whether it was on a CPU, or waits for one, a moment ago.
  bool runs() const;

  void fail(int error); // of ptrace()
  const std::string &reason() const { return reason_; }
  bool is_gone() const { return is_gone_; }
  void explain(StopResult *result) const;

  // Why the kernel refuses, a clause about the thread.
  static std::string refusal(const std::string &folder, int error);

private:
  bool resume(int request); // of ptrace()
  bool take(int status);
  bool wait(bool has_end);

  enum class Stop : uint8_t {
    kAsked,
    kGroup, // the process is stopped, as by SIGSTOP; the kernel answers PTRACE_INTERRUPT so, too
    kSystemCall,
    kSignal
  };

  int32_t tid_;
  std::string folder_, reason_;
  bool is_gone_ = false;
  Stop stop_ = Stop::kAsked;
  int signal_ = 0; // that it gets when it goes on
};

} // namespace nophook
