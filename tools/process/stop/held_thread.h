// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of another process that one of our threads traces: it is stopped, looked at, and let go.
//
// When one of our threads ends, for whatever reason, the kernel detaches the threads that it has
// attached. So all of this is done in a separate thread, as_tracer(): no thread is left attached or
// stopped, even if the other thread does not stop, or the command is killed. The stop is made by
// PTRACE_SEIZE and PTRACE_INTERRUPT, which need no signal of the process.

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
  // The thread with this number and folder in /proc (`/proc/PID/task/TID/`).
  HeldThread(int32_t tid, std::string folder) : tid_(tid), folder_(std::move(folder)) {}

  int32_t tid() const { return tid_; }
  const std::string &folder() const { return folder_; }

  // False: reason() has the error, or is_gone(). Signals for the thread are delivered on the way to
  // the stop.
  bool seize();
  bool stop();

  // Lets the thread run until the start or the end of its next system call, until the stop that
  // PTRACE_INTERRUPT asks for, or until a signal is about to be delivered to it, however long that
  // takes. Signals for it are delivered on the way, and a handler may run first: the registers show
  // whether the thread is where the caller expects it.
  enum class Until : uint8_t { kSystemCall, kStop, kSignal };
  bool go_on(Until until);

  // The signal that is about to be delivered, and drop_signal() discards; 0: none.
  int signal() const { return signal_; }
  void drop_signal() { signal_ = 0; }

  // Lets the thread run until stop() is called again.
  void run_on();

  // Detaches the thread; a signal that has come for it is delivered. After this, seize() is
  // possible again.
  void let_go();

  // Whether it was on a CPU, or waited for one, a moment ago.
  bool runs() const;

  void fail(int error); // error: the errno of ptrace()
  const std::string &reason() const { return reason_; }
  bool is_gone() const { return is_gone_; }
  void explain(StopResult *result) const;

  // Why the kernel refuses, as a clause about the thread.
  static std::string refusal(const std::string &folder, int error);

private:
  bool resume(int request); // request: one of PTRACE_
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
  int signal_ = 0; // signal that it gets when it goes on
};

} // namespace nophook
