// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets `trace-cmd record` turn tracing on when its recorders read, and not before.
//
// trace-cmd starts a recorder for each CPU, and at once the command. At the end of the command it
// stops the recorders; those that have not begun to read stop without having read anything. A
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
  // `cpus`: how many recorders come. If some are missing after `patience`, no write waits any more.
  RecorderGate(size_t cpus, std::chrono::seconds patience) : cpus_(cpus), patience_(patience) {}

  // By any threads: before a file of the tree is read, and written.
  void before_read(const std::string &path);
  void before_write(const std::string &path, std::string_view text); // may wait

  // Nobody waits any more.
  void open();

private:
  const size_t cpus_;
  const std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> read_; // files of recorders
  bool is_open_ = false;
};

} // namespace nophook
