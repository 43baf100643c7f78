// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading /proc/self/stat, status and task/ with a buffer on the stack.
//
// Where /proc is not mounted, or a filter forbids to open it, each question has the answer that
// is safe: there are other threads, they block the signal, they are still on their way.

#include "poke/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

namespace nophook {
namespace {

// A thread that has run for so long of its own time is not where it was.
constexpr uint64_t kThroughNs = 4 * 1000 * 1000;
// One that has run for so long is another few events further.
constexpr uint64_t kGoneOnNs = 20 * 1000;

using FileText = char[2048];

// Bytes read; 0 if there is no such file.
long read_file(const char *path, FileText &text) {
  long fd = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return 0;
  long n = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  n = sys_failed(n) ? 0 : n;
  text[n] = 0;
  return n;
}

// Field `wanted` of a stat file, counted from 1, or null. Fields are counted from the last ')',
// since the name before it may hold anything.
const char *stat_field(const FileText &text, long n, int wanted) {
  long i = n;
  while (i > 0 && text[i - 1] != ')')
    i--;
  int field = 2;
  for (; i > 0 && i < n; i++)
    if (text[i] == ' ' && ++field == wanted)
      return text + i + 1;
  return nullptr;
}

uint64_t number_at(const char *text, unsigned base) {
  uint64_t value = 0;
  for (;; text++) {
    unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                     : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10)
                                                    : 99;
    if (digit >= base)
      return value;
    value = value * base + digit;
  }
}

// The value of a line of a status file, behind "Key:\t"; null if there is none.
const char *status_line(const FileText &text, const char *key) {
  size_t length = text_length(key);
  for (const char *line = text; *line;) {
    if (equal_bytes(line, key, length) && line[length] == ':')
      return line + length + 2;
    while (*line && *line++ != '\n') {
    }
  }
  return nullptr;
}

Text<64> task_file(int tid, const char *name) {
  Text<64> path;
  path.add("/proc/self/task/").number((uint64_t)tid).add("/").add(name);
  return path;
}

// Calls `visit(tid)` for each thread but this one until it returns false. False: not all were
// visited.
template <class Visit> bool visit_others(Visit visit) {
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  struct Entry { // linux_dirent64
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
  };
  alignas(Entry) char entries[1024];
  int self = (int)sys(SYS_gettid);
  bool all = true;
  long n = 0;
  while (all && (n = sys(SYS_getdents64, fd, entries, sizeof entries)) > 0)
    for (long at = 0; all && at < n;) {
      const auto *entry = reinterpret_cast<const Entry *>(entries + at);
      at += entry->bytes;
      int tid = (int)number_at(entry->name, 10);
      all = tid == 0 || tid == self || visit(tid);
    }
  sys(SYS_close, fd);
  return all && n == 0;
}

// Nanoseconds that a thread of this process has run; 0 if there is no such thread.
uint64_t time_ran(int tid) {
  constexpr int kThreadsCpuClock = 4 | 2; // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED
  timespec now = {};
  if (sys_failed(sys(SYS_clock_gettime, (~tid << 3) | kThreadsCpuClock, &now)))
    return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Whether a thread is gone or sleeps without a pending SIGTRAP.
bool rests(int tid) {
  FileText text;
  long n = read_file(task_file(tid, "stat").c_str(), text);
  if (n == 0) // gone; or no file can be opened, which is no proof
    return sys(SYS_tgkill, sys(SYS_getpid), tid, 0) == -ESRCH;
  const char *state = stat_field(text, n, 3), *pending = stat_field(text, n, 31);
  return state && pending && *state == 'S' && !(number_at(pending, 10) >> (SIGTRAP - 1) & 1);
}

bool blocks(int tid, int signal) {
  FileText text;
  if (read_file(task_file(tid, "status").c_str(), text) == 0)
    return sys(SYS_tgkill, sys(SYS_getpid), tid, 0) != -ESRCH; // else it is gone
  const char *mask = status_line(text, "SigBlk");
  return !mask || number_at(mask, 16) >> (signal - 1) & 1;
}

} // namespace

bool single_threaded() {
  FileText text;
  const char *threads = stat_field(text, read_file("/proc/self/stat", text), 20);
  return threads && number_at(threads, 10) == 1;
}

bool debugger_attached() {
  FileText text;
  read_file("/proc/self/status", text);
  const char *tracer = status_line(text, "TracerPid");
  return tracer && *tracer != '0';
}

bool others_block(int signal) {
  struct Blocker {
    int tid;
    int looks; // at which it slept, or had gone on since the last one
    uint64_t ran_ns;
  };
  Array<Blocker> blockers;
  if (!visit_others(
          [&](int tid) { return !blocks(tid, signal) || blockers.push({tid, 0, time_ran(tid)}); }))
    return true;
  for (int look = 0; look < 400 && !blockers.empty(); look++) {
    timespec pause = {0, look < 200 ? 100'000 : 500'000};
    sys(SYS_nanosleep, &pause, nullptr);
    uint64_t kept = 0;
    for (Blocker b : blockers) {
      uint64_t now = time_ran(b.tid);
      if (!blocks(b.tid, signal))
        continue;
      if (now >= b.ran_ns + kGoneOnNs || rests(b.tid))
        b.looks++;
      b.ran_ns = now;
      if (b.looks >= 100)
        return true;
      blockers[kept++] = b;
    }
    blockers.shrink(kept);
  }
  return !blockers.empty();
}

bool TrappedThreads::take_all() {
  threads_.clear();
  known_ =
      visit_others([this](int tid) { return rests(tid) || threads_.push({tid, time_ran(tid)}); });
  return known_;
}

bool TrappedThreads::all_through() {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < threads_.size(); i++) {
    Thread thread = threads_[i];
    uint64_t now = time_ran(thread.tid);
    if (now < thread.ran_ns + kThroughNs && !rests(thread.tid))
      threads_[kept++] = thread;
  }
  threads_.shrink(kept);
  return known_ && kept == 0;
}

} // namespace nophook
