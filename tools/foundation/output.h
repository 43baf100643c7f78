// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard output for millions of lines: one buffer, big writes, and a reader that may leave.
//
// `nophook report | head` closes the pipe early. That is not an error: closed() makes the
// loop stop, and the command succeeds without a message.

#pragma once

#include "foundation/result.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace nophook {

class Output {
public:
  explicit Output(int fd = 1);
  // The descriptor of an output that keeps its text: take() returns it.
  static constexpr int kMemory = -1;
  std::string take();
  // The error is dropped here: a caller that needs it has called flush().
  ~Output() { (void)flush(); }

  // Limits the output to `head` lines; 0: no limit. At the limit it counts as closed.
  void limit(uint64_t head) { head_ = head; }
  // Lines that are printed while it lives are not counted: those above a trace or a table.
  class Header {
  public:
    explicit Header(Output &output) : output_(output) { output_.in_header_ = true; }
    ~Header() { output_.in_header_ = false; }
    Header(const Header &) = delete;
    Header &operator=(const Header &) = delete;

  private:
    Output &output_;
  };
  bool is_cut() const { return head_ && lines_ >= head_; }

  // Makes lines fit a terminal (foundation/terminal.h); 0: they stay as they are.
  void fit(unsigned columns) { columns_ = columns; }

  // Writes lines as `paint` returns them; null: as they are.
  void paint(std::string (*paint)(std::string_view line)) { paint_ = paint; }

  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    print(format, std::forward<Args>(args)...);
    end_line();
  }
  void line(const std::string &text) {
    buffer_.append(text.data(), text.data() + text.size());
    end_line();
  }

  // Adds a part of a line: print() and add(), then end_line().
  template <class... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
    print_arguments(format, fmt::make_format_args(args...));
  }
  void add(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  void add(char c) { buffer_.push_back(c); }
  // Adds a number. Millions of lines have a few numbers each, and to read a format for each of them
  // takes longer than to write it: `value` in decimal, with `fill` in front if it has less than
  // `columns`.
  void number(uint64_t value, size_t columns = 0, char fill = ' ') {
    fmt::format_int digits(value);
    if (digits.size() < columns)
      add(columns - digits.size(), fill);
    add({digits.data(), digits.size()});
  }
  void add(size_t count, char c) {
    size_t before = buffer_.size();
    buffer_.resize(before + count);
    std::fill_n(buffer_.data() + before, count, c);
  }
  void end_line();
  // Adds a text of whole lines.
  void lines(std::string_view text);
  size_t size() const { return buffer_.size(); } // bytes that have not been written

  bool closed() const { return closed_; }

  // Writes the rest. Fails if the output could not be written, unless its reader has closed it.
  Result<> flush();

private:
  void print_arguments(fmt::string_view format, fmt::format_args arguments); // fmt's code, once

  int fd_;
  fmt::memory_buffer buffer_;
  size_t line_start_ = 0; // offset in the buffer of the present line
  uint64_t lines_ = 0;
  uint64_t head_ = 0;
  unsigned columns_ = 0;
  std::string (*paint_)(std::string_view) = nullptr;
  bool closed_ = false;
  bool in_header_ = false;
  int error_ = 0;
};

} // namespace nophook
