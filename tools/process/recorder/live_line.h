// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A status line that shows the progress of the recording, on a terminal only.
//
// The program may use the same terminal. The cursor is left at the line's start, so that the
// program's output appears where it would have been. A program that has taken the terminal for
// itself (no echo, no lines: an editor, a game), or that runs in another foreground, is not
// disturbed.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nophook {

class LiveLine {
public:
  explicit LiveLine(int fd);
  ~LiveLine() { erase(); }
  LiveLine(const LiveLine &) = delete;
  LiveLine &operator=(const LiveLine &) = delete;

  // Whether to draw it again: a quarter of a second has passed since the last time.
  bool is_due() const { return is_terminal_ && Clock::now() - last_ >= kEvery; }
  void update(uint64_t events, uint64_t lost, uint64_t bytes);

  bool is_terminal() const { return is_terminal_; }
  void draw(const std::string &text);
  void erase();

private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kEvery = std::chrono::milliseconds(250);

  bool may_draw() const;

  int fd_;
  bool is_terminal_;
  bool drawn_ = false;
  Clock::time_point last_ = Clock::now();
  uint64_t last_events_ = 0;
};

} // namespace nophook
