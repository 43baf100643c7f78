// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard output for millions of lines: one buffer, big writes, and a reader that may leave.
//
// `nophook report | head` closes the pipe early. That is no error of ours: closed() tells the
// loop to stop, and the command ends with success and without a word.

#pragma once

#include "base/result.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace nophook {

class Output {
public:
  explicit Output(int fd = 1);
  // One that keeps what it gets: take() gives it.
  static constexpr int kMemory = -1;
  std::string take();
  ~Output() { (void)flush(); }

  // Lines are limited to `head`, if it is not 0: then the output counts as closed.
  void limit(uint64_t head) { head_ = head; }

  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    end_line();
  }
  void line(const std::string &text) {
    buffer_.append(text.data(), text.data() + text.size());
    end_line();
  }

  // For a line in parts: add(), or append to buffer(); then end_line().
  void add(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  void add(size_t count, char c) {
    size_t before = buffer_.size();
    buffer_.resize(before + count);
    std::fill_n(buffer_.data() + before, count, c);
  }
  fmt::memory_buffer &buffer() { return buffer_; }
  void end_line();

  bool closed() const { return closed_; }

  // Writes what is left. Fails if the output could not be written, other than by its reader's
  // leave.
  Result<> flush();

private:
  int fd_;
  fmt::memory_buffer buffer_;
  size_t line_start_ = 0; // in the buffer, of the line that is being made
  uint64_t lines_ = 0;
  uint64_t head_ = 0;
  bool closed_ = false;
  int error_ = 0;
};

} // namespace nophook
