// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread draws the line after a second, unless it is stopped before.

#include "process/recorder/waiting_line.h"

#include <unistd.h>

namespace nophook {

WaitingLine::WaitingLine(std::string cause) : line_(STDERR_FILENO) {
  if (line_.is_terminal())
    drawer_ = std::thread([this, text = "waiting for " + std::move(cause)] {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return is_done_; }))
        line_.draw(text);
    });
}

WaitingLine::~WaitingLine() {
  if (!drawer_.joinable())
    return;
  {
    std::lock_guard guard(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
  drawer_.join(); // line_ is erased by its own destructor
}

} // namespace nophook
