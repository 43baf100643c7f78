// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of another process is stopped while it is looked at. Each look is made in a thread of
// its own (process/stop/held_thread.h), so no thread is left attached or stopped.
//
// Only threads that run are stopped. A sleeping thread would wake, and some system calls fail then.

#pragma once

#include "process/stop/thread_registers.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace nophook {

// The number in a thread's folder, `/proc/PID/task/TID/`.
int32_t number_of_thread(const std::string &folder);

// The thread's memory. False: not all of it can be read.
bool read_memory(int32_t tid, uint64_t address, void *to, size_t bytes);

struct StopResult {
  // Why the thread was not looked at, as a clause about it; empty: it was, or has ended.
  std::string reason;
  bool is_gone = false;
  std::chrono::nanoseconds stood{}; // from when it was seen to stand still until it went on
  std::chrono::nanoseconds took{}; // from the request to stop; it runs, or waits to, for most of it
};

// Stops the thread with this number and folder in /proc (`/proc/PID/task/TID/`), calls look(), and
// lets the thread go on. look() is called in another thread, and should be short: it must not
// print. Blocks until that is done, and for half a second if the thread does not stop. SIGCHLD is
// blocked in the meantime.
StopResult look_at_thread(int32_t tid, const std::string &folder,
                          const std::function<void(const ThreadRegisters &)> &look);

// A copy of registers and stack, made during the look and unwound when the thread runs again.
struct ThreadCopy {
  ThreadRegisters registers;
  uint64_t stack = 0;           // address of the first byte
  std::vector<std::byte> bytes; // make_room() gives it its size
  size_t used = 0;

  // Called before the look: allocates memory and touches it.
  void make_room();
  // Called in the look: copies the stack from below its pointer up to `end`, as far as there is
  // room.
  void take(int32_t tid, const ThreadRegisters &from, uint64_t end);
  bool read(uint64_t address, void *to, size_t count) const;
};

} // namespace nophook
