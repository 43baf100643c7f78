// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long lines and long texts on a terminal.
//
// A line of a C++ trace may be wider than the terminal. Wrapped lines destroy the columns, and cut
// ones hide the end, which is the function's own name. The part that a reader misses least is in
// the middle: template arguments. They become `…`, the outermost list that is longest first:
//
//   std::map<…>::operator[](key="x")
//
// A text that is longer than the terminal goes through a pager, as git's does.

#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

namespace nophook {

// Standard output, as it was at the start of the command.
struct Terminal {
  bool is_terminal = false;
  unsigned columns = 0; // 0: no limit

  static Terminal of_stdout();
};

// The line, with template arguments left out until it has at most `columns` columns, or until none
// are left. Names, values and names of arguments are never cut.
std::string fit_line(std::string_view line, unsigned columns);

// For its lifetime, standard output goes to $NOPHOOK_PAGER, $PAGER or `less`, if `wanted` and
// standard output is a terminal. The destructor waits until the user has left the pager. Without a
// pager that can be started, the text goes to the terminal. One thread, one object.
class Pager {
public:
  Pager(const Terminal &terminal, bool wanted);
  ~Pager();
  Pager(const Pager &) = delete;
  Pager &operator=(const Pager &) = delete;

private:
  pid_t child_ = 0;
  int terminal_fd_ = -1; // standard output's own
};

} // namespace nophook
