// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets `trace-cmd record` turn tracing on when its recorders read, and not before.
//
// trace-cmd starts a recorder for each CPU, and at once the command. At the end of the command it
// stops the recorders; a recorder that has not begun to read stops without having read anything. A
// recorder has to open some files first, which takes microseconds in the kernel and milliseconds in
// a file system in user space. With commands as short as `true`, about four of ten recordings were
// empty. So a write of 1 to tracing_on returns only when each CPU's trace_pipe_raw has been read.

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

namespace nophook {

class RecorderGate {
public:
  // `cpus`: the number of recorders. If some are missing after `patience`, no write waits any more.
  RecorderGate(size_t cpus, std::chrono::seconds patience) : cpus_(cpus), patience_(patience) {}

  // Called by any thread, before a file of the tree is read or written.
  void before_read(const std::string &path);
  void before_write(const std::string &path, std::string_view text); // may wait

  // Ends the wait of all writers.
  void open();

private:
  const size_t cpus_;
  const std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> read_; // recorders' files that have been read
  bool is_open_ = false;
};

} // namespace nophook
