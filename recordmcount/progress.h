// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The progress of a long run, only on a terminal, and only from the second second on.

#pragma once

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <mutex>

namespace nophook::recordmcount {

// A status line, which is removed at the end. Any thread may use it.
class Progress {
public:
  explicit Progress(size_t files)
      : files_(files), shown_(llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~Progress() {
    if (drawn_)
      llvm::errs() << "\r\033[K";
  }
  void done_one() {
    std::lock_guard lock(mutex_);
    done_++;
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - start_ < std::chrono::seconds(1) ||
        now - last_ < std::chrono::milliseconds(100))
      return;
    llvm::errs() << "\rrecordmcount: " << done_ << " of " << files_ << " files";
    last_ = now;
    drawn_ = true;
  }

private:
  std::mutex mutex_;
  const size_t files_;
  const bool shown_;
  size_t done_ = 0;
  bool drawn_ = false;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

} // namespace nophook::recordmcount
