// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks, reads the payloads from a pipe, and kills the child if the user wants the end.

#include "process/recorder/names_at_end.h"

#include "foundation/identity.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {

namespace {

using Payloads = std::vector<std::vector<uint8_t>>;

// Sends each payload, preceded by its size.
[[noreturn]] void send_names(int to, const DrainTotals &totals, KeepNames keep) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const std::vector<uint8_t> &payload : names_of_functions(totals, keep)) {
    const uint64_t bytes = payload.size();
    if (!write_all(to, &bytes, sizeof bytes) || !write_all(to, payload.data(), bytes))
      break;
  }
  ::_exit(0);
}

// The payloads that are whole: a process that was killed may have sent a part of one.
Payloads payloads_in(const std::string &text) {
  Payloads payloads;
  uint64_t bytes;
  for (size_t at = 0; text.size() - at >= sizeof bytes; at += sizeof bytes + bytes) {
    std::memcpy(&bytes, &text[at], sizeof bytes);
    if (bytes > text.size() - at - sizeof bytes)
      break;
    const auto *begin = reinterpret_cast<const uint8_t *>(text.data()) + at + sizeof bytes;
    payloads.emplace_back(begin, begin + bytes);
  }
  return payloads;
}

// False: `user` wanted the end.
bool read_to_end(int from, RecorderHook &user, std::string *text) {
  pollfd ready[] = {{from, POLLIN, 0}, {user.descriptor(), POLLIN, 0}};
  for (;;) {
    if (::poll(ready, 2, -1) < 0 && errno != EINTR)
      return true;
    if (ready[1].revents && user.wants_end())
      return false;
    if (!ready[0].revents)
      continue;
    char part[1 << 16];
    const ssize_t n = ::read(from, part, sizeof part);
    if (n == 0 || (n < 0 && errno != EINTR))
      return true;
    text->append(part, (size_t)std::max<ssize_t>(n, 0));
  }
}

} // namespace

bool record_names_at_end(const DrainTotals &totals, KeepNames keep, RecordingWriter &writer,
                         RecorderHook &user) {
  int ends[2];
  FileDescriptor read_end, write_end;
  pid_t reader = -1;
  if (::pipe2(ends, O_CLOEXEC) == 0) {
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
    reader = ::fork();
  }
  if (reader == 0)
    send_names(write_end.get(), totals, keep);
  if (reader < 0) { // no end can come in between
    record_names(totals, keep, writer);
    return true;
  }
  write_end.reset();
  std::string text;
  const bool is_whole = read_to_end(read_end.get(), user, &text);
  if (!is_whole)
    signal_child(reader, SIGKILL);
  while (::waitpid(reader, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (is_whole)
    writer.add_names(payloads_in(text));
  return is_whole;
}

} // namespace nophook
