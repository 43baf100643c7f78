// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the line with escape sequences, if this process may write to the terminal.

#include "process/recorder/live_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr const char *kErase = "\r\033[K";

void put(int fd, const std::string &text) {
  // A failure is ignored: a status line is no result.
  (void)!::write(fd, text.data(), text.size());
}

} // namespace

LiveLine::LiveLine(int fd) : fd_(fd), is_terminal_(::isatty(fd)) {}

bool LiveLine::may_draw() const {
  termios modes;
  return ::tcgetpgrp(fd_) == ::getpgrp() && ::tcgetattr(fd_, &modes) == 0 &&
         (modes.c_lflag & ICANON) && (modes.c_lflag & ECHO);
}

void LiveLine::update(uint64_t events, uint64_t lost, uint64_t bytes) {
  Clock::time_point now = Clock::now();
  double seconds = std::chrono::duration<double>(now - last_).count();
  double rate = (double)(events - std::min(events, last_events_)) / seconds; // 0 after a clearing
  last_ = now;
  last_events_ = events;
  draw(fmt::format("{} events, {:.2f} M/s, {} lost, {:.1f} MiB", events, rate / 1e6, lost,
                   (double)bytes / (1 << 20)));
}

void LiveLine::draw(const std::string &text) {
  if (!may_draw())
    return;
  put(fd_, kErase + text + "\r");
  drawn_ = true;
}

void LiveLine::erase() {
  if (drawn_ && may_draw())
    put(fd_, kErase);
  drawn_ = false;
}

} // namespace nophook
