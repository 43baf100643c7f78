// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traced program as our child, and the signals that both receive.
//
// Its signal mask, its standard streams and its process group are the ones with which we were
// started, so it does not notice us. Our signals are blocked and read from a descriptor, so that
// the recording ends in order at any signal.

#pragma once

#include "foundation/file.h"
#include "foundation/identity.h"
#include "process/launch/program.h"

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace nophook {

class Child {
public:
  // Starts the program with our environment, changed by `variables` (NAME=VALUE).
  static Result<Child> start(const Program &program, const std::vector<std::string> &variables);

  int pid() const { return pid_; }

  // Becomes readable when a signal has come.
  int signals() const { return signals_.get(); }

  // The next signal that has come, if any. `from_terminal`: the kernel has sent it to the whole
  // foreground process group, so the program has received it, too.
  struct Signal {
    int number;
    bool from_terminal;
  };
  std::optional<Signal> next_signal();

  void send(int signal) { signal_child(pid_, signal); }

  // The exit status that a shell would show, once the program has ended. Does not wait.
  std::optional<int> exit_status();

  // Passes signals on until the program has ended, and returns its exit status.
  int wait();

  // After that: the signal that has ended it, or 0.
  int ended_by() const { return ended_by_; }

private:
  int pid_ = -1;
  FileDescriptor signals_;
  std::optional<int> status_;
  int ended_by_ = 0;
};

} // namespace nophook
