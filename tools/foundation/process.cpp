// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/PID/cmdline and sets up signalfd.

#include "foundation/process.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

std::vector<std::string> command_line(int32_t pid) {
  std::string text = read_small_file(fmt::format("/proc/{}/cmdline", pid));
  std::vector<std::string> words;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
  }
  return words;
}

std::string command_text(int32_t pid) {
  std::string text = printable(fmt::format("{}", fmt::join(command_line(pid), " ")));
  return text.substr(0,
                     text.find_last_not_of(' ') + 1); // setproctitle() fills the rest with blanks
}

FileDescriptor take_signals(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : signals)
    sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

} // namespace nophook
