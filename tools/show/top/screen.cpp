// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches the terminal by xterm's codes, and restores it.

#include "show/top/screen.h"

#include "foundation/file.h"
#include "foundation/terminal.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace nophook {

namespace {

// The codes of xterm, which all terminals of today know: the other screen, and no cursor.
constexpr std::string_view kTake = "\033[?1049h\033[?25l", kGiveBack = "\033[?25h\033[?1049l";
constexpr std::string_view kHome = "\033[H", kRestOfLine = "\033[K", kRestOfScreen = "\033[J";

void put(std::string_view text) {
  // On a failure the next picture is tried.
  (void)write_all(STDOUT_FILENO, text.data(), text.size());
}

winsize size() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col)
    return {24, 80, 0, 0};
  return size;
}

// The first `columns` characters; bytes of the form 10xxxxxx continue one.
std::string cut(std::string line, size_t columns) {
  size_t bytes = 0;
  for (; bytes < line.size(); bytes++)
    if ((line[bytes] & 0xc0) != 0x80 && columns-- == 0)
      break;
  line.resize(bytes);
  return line;
}

} // namespace

Screen::Screen() {
  // In the background the terminal belongs to another program: changing its settings would stop us.
  has_keys_ = ::tcgetpgrp(STDIN_FILENO) == ::getpgrp() && ::tcgetattr(STDIN_FILENO, &before_) == 0;
  if (has_keys_) {
    termios keys = before_;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VSUSP] = _POSIX_VDISABLE; // the shell would find its prompt on our screen
    ::tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  }
  put(kTake);
}

Screen::~Screen() {
  put(kGiveBack);
  if (has_keys_)
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

size_t Screen::rows() const {
  return size().ws_row;
}

void Screen::draw(std::string_view text) const {
  winsize room = size();
  std::string picture(kHome);
  for (size_t row = 0; row < room.ws_row && !text.empty(); row++) {
    size_t end = std::min(text.find('\n'), text.size());
    if (row)
      picture += "\r\n";
    picture += cut(fit_line(text.substr(0, end), room.ws_col), room.ws_col);
    picture += kRestOfLine;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  put(picture += kRestOfScreen);
}

} // namespace nophook
