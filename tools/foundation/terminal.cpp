// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts template arguments out of lines, and starts the pager.

#include "foundation/terminal.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace nophook {

namespace {

constexpr std::string_view kEllipsis = "…";

unsigned width_of(std::string_view text) {
  unsigned width = 0;
  for (char c : text)
    width += (c & 0xc0) != 0x80; // one for each code point of UTF-8
  return width;
}

bool is_name_character(char c) {
  return std::isalnum((unsigned char)c) || c == '_';
}

// The bounds of a list of template arguments in a line, without the brackets.
struct TemplateList {
  size_t first, end;
};

// The lists that are in no other one. Text in quotes is a value. `operator<` opens nothing, and
// neither does a `<` that follows no name, as in `<-caller` and `<T as Trait>`.
std::vector<TemplateList> outermost_lists(std::string_view line) {
  std::vector<TemplateList> lists;
  size_t depth = 0, first = 0;
  bool in_quotes = false;
  for (size_t at = 0; at < line.size(); at++) {
    char c = line[at];
    if (in_quotes) {
      at += c == '\\';
      in_quotes = c != '"';
    } else if (c == '"') {
      in_quotes = true;
    } else if (line.substr(at).starts_with("operator") &&
               (at == 0 || !is_name_character(line[at - 1]))) {
      at += sizeof("operator") - 1;
      while (at < line.size() && std::string_view("<>=-").find(line[at]) != std::string_view::npos)
        at++;
      at--;
    } else if (c == '<' && (depth || (at > 0 && is_name_character(line[at - 1]) &&
                                      line.substr(at + 1, 1) != "-"))) {
      if (depth++ == 0)
        first = at + 1;
    } else if (c == '>' && depth && line[at - 1] != '-') {
      if (--depth == 0)
        lists.push_back({first, at});
    }
  }
  return lists;
}

} // namespace

Terminal Terminal::of_stdout() {
  Terminal terminal;
  terminal.is_terminal = ::isatty(STDOUT_FILENO);
  winsize size = {};
  if (terminal.is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    terminal.columns = size.ws_col;
  return terminal;
}

std::string fit_line(std::string_view line, unsigned columns) {
  std::string result(line);
  while (columns && width_of(result) > columns) {
    const TemplateList *longest = nullptr;
    std::vector<TemplateList> lists = outermost_lists(result);
    for (const TemplateList &list : lists)
      if (list.end - list.first > kEllipsis.size() &&
          (!longest || list.end - list.first > longest->end - longest->first))
        longest = &list;
    if (!longest)
      break;
    result.replace(longest->first, longest->end - longest->first, kEllipsis);
  }
  return result;
}

Pager::Pager(const Terminal &terminal, bool wanted) {
  if (!wanted || !terminal.is_terminal)
    return;
  const char *command = std::getenv("NOPHOOK_PAGER");
  if (!command)
    command = std::getenv("PAGER");
  if (!command)
    command = "less";
  if (!*command || std::string_view(command) == "cat")
    return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return;
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    ::setenv("LESS", "FRX", 0); // a text of one screen needs no key, and stays
    std::string script =
        fmt::format("if command -v {} >/dev/null 2>&1; then exec {}; else exec cat; fi",
                    std::string_view(command).substr(0, std::strcspn(command, " ")), command);
    ::execlp("sh", "sh", "-c", script.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[0]);
  if (child_ > 0) {
    std::fflush(stdout);
    terminal_fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(ends[1], STDOUT_FILENO);
    std::signal(SIGINT, SIG_IGN); // the signal is for the pager
  }
  ::close(ends[1]);
}

Pager::~Pager() {
  if (child_ <= 0)
    return;
  std::fflush(stdout);
  ::dup2(terminal_fd_, STDOUT_FILENO); // closes the pager's input
  ::close(terminal_fd_);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace nophook
