// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills and flushes the buffer, and cuts at the reader's limit.

#include "foundation/output.h"

#include "foundation/file.h"
#include "foundation/terminal.h"

#include <csignal>
#include <iterator>

namespace nophook {

Output::Output(int fd) : fd_(fd) {
  if (fd != kMemory)
    std::signal(SIGPIPE, SIG_IGN); // a write then returns EPIPE
}

void Output::print_arguments(fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(buffer_), format, arguments);
}

void Output::end_line() {
  if (head_ && lines_ >= head_) // a record of several lines may continue behind the last one
    return buffer_.resize(line_start_);
  const bool too_wide = columns_ && buffer_.size() - line_start_ > columns_;
  if (too_wide || paint_) {
    std::string line(buffer_.data() + line_start_, buffer_.size() - line_start_);
    if (too_wide)
      line = fit_line(line, columns_);
    buffer_.resize(line_start_);
    add(paint_ ? paint_(line) : line);
  }
  buffer_.push_back('\n');
  if (!in_header_ && ++lines_ == head_)
    closed_ = true;
  line_start_ = buffer_.size();
  if (buffer_.size() >= 64 << 10 && fd_ != kMemory)
    // An error is kept: the next flush() returns it.
    (void)flush();
}

void Output::lines(std::string_view text) {
  while (!text.empty() && !closed_) {
    const size_t end = std::min(text.find('\n'), text.size());
    add(text.substr(0, end));
    end_line();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string Output::take() {
  std::string text(buffer_.data(), buffer_.size());
  buffer_.clear();
  line_start_ = 0;
  return text;
}

Result<> Output::flush() {
  if (fd_ == kMemory)
    return {};
  if (error_ == 0 && buffer_.size() && !write_all(fd_, buffer_.data(), buffer_.size())) {
    error_ = errno;
    closed_ = true;
  }
  buffer_.clear();
  line_start_ = 0;
  if (error_ == 0 || error_ == EPIPE)
    return {};
  errno = error_;
  return system_error("standard output", "cannot be written");
}

} // namespace nophook
