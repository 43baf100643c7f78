// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts programs by exec and fork, and passes signals on.

#include "build/cc/other_program.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {

int become(const std::vector<std::string> &command) {
  std::vector<char *> pointers;
  for (const std::string &word : command)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  return errno;
}

std::optional<int> split() {
  const pid_t child = fork();
  if (child == 0) {
    // A compiler removes its temporary files when a signal ends it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return std::nullopt;
  }
  if (child < 0) {
    fmt::print(stderr, "nophook: no process can be made: {}\n", std::strerror(errno));
    return 1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status); // the signal was blocked
  }
  return WEXITSTATUS(status);
}

int run(const std::vector<std::string> &command) {
  if (const std::optional<int> status = split())
    return *status;
  const int problem = become(command);
  fmt::print(stderr, "nophook: {}: cannot be executed: {}\n", command.front(),
             std::strerror(problem));
  _exit(1);
}

} // namespace nophook
