// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a list of the recorders' files that have been read, and lets a write wait for all.

#include "process/mount/recorder_gate.h"

namespace nophook {

void RecorderGate::before_read(const std::string &path) {
  if (!path.ends_with("/trace_pipe_raw"))
    return;
  std::lock_guard guard(mutex_);
  read_.insert(path);
  if (read_.size() < cpus_)
    return;
  is_open_ = true;
  changed_.notify_all();
}

void RecorderGate::before_write(const std::string &path, std::string_view text) {
  bool is_switch = path == "tracing_on" || path.ends_with("/tracing_on"); // also an instance's
  if (!is_switch || !text.starts_with('1'))
    return;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience_, [this] { return is_open_; });
  is_open_ = true;
}

void RecorderGate::open() {
  std::lock_guard guard(mutex_);
  is_open_ = true;
  changed_.notify_all();
}

} // namespace nophook
