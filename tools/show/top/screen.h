// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A terminal's second screen, for a text that is drawn again and again. However it ends, the
// terminal has its own screen and its own settings back.

#pragma once

#include <string>
#include <string_view>
#include <termios.h>

namespace nophook {

class Screen {
public:
  // Takes the screen; keys are not shown, and come at once by standard input.
  Screen();
  ~Screen();
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  // The number of lines that it has room for now.
  size_t rows() const;

  // Lines are made to fit (foundation/terminal.h). The rest of a longer line is cut off. No
  // character of UTF-8 is cut in two.
  void draw(std::string_view text) const;

private:
  bool has_keys_ = false; // whether keys are read, and `before_` is set
  termios before_;
};

} // namespace nophook
