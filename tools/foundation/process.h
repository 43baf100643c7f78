// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's information about other processes, and signals to our own children. Answers may be
// out of date when they arrive.
#pragma once

#include "foundation/file.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace nophook {

// The words of the process's command line, or the ones that it has put there. Empty: it is gone, or
// has none.
std::vector<std::string> command_line(int32_t pid);

// The same as one line for messages.
std::string command_text(int32_t pid);

// A file's path as /proc shows it, without the mark that the kernel adds when the file is deleted.
inline std::string_view without_deleted_mark(std::string_view path) {
  constexpr std::string_view kMark = " (deleted)";
  return path.ends_with(kMark) ? path.substr(0, path.size() - kMark.size()) : path;
}

// Takes signals, which do not reach the calling thread any more, nor those that it makes: they are
// read from here (signalfd(2)), without waiting.
FileDescriptor take_signals(std::initializer_list<int> signals);

} // namespace nophook
