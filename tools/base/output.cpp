// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/output.h"

#include "base/file.h"

#include <csignal>

namespace nophook {

Output::Output(int fd) : fd_(fd) {
  std::signal(SIGPIPE, SIG_IGN); // a write tells by EPIPE instead
}

void Output::end_line() {
  buffer_.push_back('\n');
  if (++lines_ == head_)
    closed_ = true;
  if (buffer_.size() >= 64 << 10)
    (void)flush();
}

Result<> Output::flush() {
  if (error_ == 0 && buffer_.size() && !write_all(fd_, buffer_.data(), buffer_.size())) {
    error_ = errno;
    closed_ = true;
  }
  buffer_.clear();
  if (error_ == 0 || error_ == EPIPE)
    return {};
  errno = error_;
  return system_error("standard output", "cannot be written");
}

} // namespace nophook
