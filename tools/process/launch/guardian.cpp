// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks at the first file, and sends each old text through a pipe.

#include "process/launch/guardian.h"

#include "process/control/client.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace nophook {

namespace {

// Header in front of a path and a text. Both 0: all files are put back.
struct Sizes {
  uint32_t path, text;
};

bool read_all(int fd, void *to, size_t bytes) {
  for (char *at = static_cast<char *>(to); bytes;) {
    ssize_t n = ::read(fd, at, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

} // namespace

void Guardian::wait() {
  pipe_.reset();
  if (child_ > 0)
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Guardian::start() {
  int ends[2];
  child_ = -1;
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return;
  FileDescriptor read_end(ends[0]), write_end(ends[1]);
  child_ = ::fork();
  if (child_ == 0) {
    write_end.reset();
    watch(std::move(read_end));
  }
  if (child_ > 0)
    pipe_ = std::move(write_end);
}

// The guardian must not keep any descriptor of this process open: an output that others wait for,
// or a lock, other than the lock that it shares with this process.
void Guardian::watch(FileDescriptor pipe) const {
  constexpr unsigned kPipe = 3, kLock = 4;
  ::setsid();
  ::prctl(PR_SET_NAME, "nophook-restore");
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    std::signal(signal, SIG_IGN);
  int null = ::open("/dev/null", O_RDWR);
  const int lock = lock_ < 0 ? -1 : ::fcntl(lock_, F_DUPFD, kLock); // kPipe may be its number
  if (::dup2(pipe.get(), kPipe) < 0)
    ::_exit(1);
  if (lock >= 0)
    ::dup2(lock, kLock);
  for (int fd = 0; fd < 3; fd++)
    ::dup2(null, fd);
  ::close_range(lock < 0 ? kLock : kLock + 1, ~0u, 0);
  struct Before {
    std::string path, text;
  };
  std::vector<Before> before;
  for (Sizes sizes; read_all(kPipe, &sizes, sizeof sizes);) {
    Before one = {std::string(sizes.path, 0), std::string(sizes.text, 0)};
    if (!sizes.path)
      before.clear();
    else if (read_all(kPipe, one.path.data(), sizes.path) &&
             read_all(kPipe, one.text.data(), sizes.text))
      before.push_back(std::move(one));
  }
  // A process that is stopped goes on at some time.
  while (!before.empty() && has_socket(pid_)) {
    auto client = ControlClient::connect(pid_);
    for (size_t i = client ? before.size() : 0; i-- > 0 && !client->is_silent();)
      // A failure is ignored: the others are still put back.
      (void)client->write(before[i].path, before[i].text, false);
    if (client && !client->is_silent())
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ::_exit(0);
}

void Guardian::send(const std::string &path, const std::string &text) {
  Sizes sizes = {(uint32_t)path.size(), (uint32_t)text.size()};
  std::string message(reinterpret_cast<const char *>(&sizes), sizeof sizes);
  message += path + text;
  // A guardian that was killed gets no message.
  (void)write_all(pipe_.get(), message.data(), message.size());
}

void Guardian::keep(const std::string &path, const std::string &text) {
  if (!child_)
    start();
  if (child_ > 0)
    send(path, text);
}

bool Guardian::takes_over() {
  pipe_.reset();
  return std::exchange(child_, -1) > 0;
}

void Guardian::forget() {
  if (child_ > 0)
    send("", "");
}

void Guardian::end() {
  forget();
  wait();
  child_ = -1;
}

} // namespace nophook
