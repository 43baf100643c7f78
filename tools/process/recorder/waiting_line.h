// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A status line for a step that usually takes milliseconds, and up to a minute where the process is
// busy: its serving thread is in a large batch, its threads are never at a place where one could
// load the runtime, or another command has its settings. After a second, a line on the terminal
// shows the cause. It is erased when the step is done.
// cause, and is erased when the step is done.

#pragma once

#include "process/recorder/live_line.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace nophook {

class WaitingLine {
public:
  // `cause`: "process 17 to answer"
  explicit WaitingLine(std::string cause);
  WaitingLine(const WaitingLine &) = delete;
  WaitingLine &operator=(const WaitingLine &) = delete;
  ~WaitingLine();

private:
  LiveLine line_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread drawer_; // none without a terminal
};

} // namespace nophook
