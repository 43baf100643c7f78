// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nophook {

bool process_is_gone(int32_t pid) {
  if (::kill(pid, 0) != 0 && errno == ESRCH)
    return true;
  std::string folder = fmt::format("/proc/{}", pid);
  std::string stat = read_small_file(folder + "/stat"); // "pid (comm) S ..."
  size_t state = stat.rfind(')');
  if (state == std::string::npos || state + 2 >= stat.size())
    return ::kill(pid, 0) != 0 && errno == ESRCH;
  if (stat[state + 2] != 'Z' && stat[state + 2] != 'X')
    return false;
  // A main thread that has ended before the others is a zombie in a living process.
  std::error_code error;
  std::filesystem::directory_iterator tasks(folder + "/task", error);
  return error || std::distance(begin(tasks), end(tasks)) <= 1;
}

bool thread_is_gone(int32_t pid, int32_t tid) {
  return ::syscall(SYS_tgkill, pid, tid, 0) != 0 && errno == ESRCH;
}

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
  return text.substr(0, text.find_last_not_of(' ') + 1); // setproctitle() fills up with blanks
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
