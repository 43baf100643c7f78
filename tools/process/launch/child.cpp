// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks signals before the fork, and reads them from a signalfd.

#include "process/launch/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {

namespace {

// The environment with some variables replaced.
std::vector<std::string> environment_with(const std::vector<std::string> &variables) {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; entry++) {
    std::string_view old = *entry;
    std::string_view name = old.substr(0, old.find('=') + 1);
    bool replaced = false;
    for (const std::string &variable : variables)
      replaced |= !name.empty() && variable.starts_with(name);
    if (!replaced)
      result.emplace_back(old);
  }
  result.insert(result.end(), variables.begin(), variables.end());
  return result;
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

} // namespace

Result<Child> Child::start(const Program &program, const std::vector<std::string> &variables) {
  Child child;
  // SIGXFSZ and SIGPIPE are only blocked: a full disk or a closed pipe is an error that the
  // write itself returns.
  sigset_t read, blocked, before;
  sigemptyset(&read);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD})
    sigaddset(&read, signal);
  blocked = read;
  sigaddset(&blocked, SIGXFSZ);
  sigaddset(&blocked, SIGPIPE);
  std::signal(SIGCHLD, SIG_DFL); // an ignored SIGCHLD would make the exit status disappear
  sigprocmask(SIG_BLOCK, &blocked, &before);
  child.signals_.reset(signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!child.signals_.valid())
    return system_error("signalfd", "signals cannot be read");

  std::vector<std::string> environment = environment_with(variables);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &before);
  int error = posix_spawn(&child.pid_, program.path.c_str(), nullptr, &attributes,
                          pointers(program.arguments).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error == ENOEXEC && !program.foreign.empty())
    return Error{program.path, "", program.foreign, kExitNotExecutable};
  if (error)
    return Error{program.path, "", fmt::format("cannot be executed: {}", std::strerror(error)),
                 kExitNotExecutable};
  return child;
}

std::optional<Child::Signal> Child::next_signal() {
  signalfd_siginfo info;
  if (::read(signals_.get(), &info, sizeof info) != sizeof info)
    return std::nullopt;
  return Signal{(int)info.ssi_signo, info.ssi_code == SI_KERNEL};
}

int Child::wait() {
  constexpr int kLookMs = 100; // SIGCHLD wakes us, but several merge into one
  pollfd ready = {signals_.get(), POLLIN, 0};
  while (!exit_status()) {
    ::poll(&ready, 1, kLookMs);
    while (auto signal = next_signal())
      if (signal->number != SIGCHLD && !signal->from_terminal)
        send(signal->number);
  }
  return *status_;
}

std::optional<int> Child::exit_status() {
  int status;
  if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    ended_by_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return status_;
}

} // namespace nophook
