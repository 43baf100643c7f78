// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If /proc is not mounted, or a filter forbids opening it, each question has the safe answer: there
// are other threads, they block the signal, they are still on their way.

#include "poke/threads.h"

#include "base/eternal.h"
#include "base/own_identity.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

namespace nophook {
namespace {

// A thread that has run this long of its own time is not where it was.
constexpr uint64_t kThroughNs = 1000 * 1000;
// A thread that has run this long is another few events further.
constexpr uint64_t kGoneOnNs = 20 * 1000;
// The first 400 looks take about a tenth of a second, the others five: the time that is left to a
// thread which was interrupted while it blocked a signal.
constexpr int kMostLooks = 400 + 2500;
// A thread that is ready to run and gets no processor shows nothing, however often it is looked at.
// Loaded machines have left new threads, which libc starts with all signals blocked, without one
// for more than five seconds. These looks take a minute.
constexpr int kMostStarvedLooks = 30'000;

// The value of a line of a status file, behind "Key:\t"; null if there is none.
const char *status_line(const ProcText &text, const char *key) {
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
  int self = thread_id();
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

// What one look at a thread has shown.
struct Look {
  int tid;
  uint64_t ran_ns;
  uint64_t blocked; // signals
  bool rests;       // it is gone, or sleeps without a pending SIGTRAP
  bool is_ready;    // to run, or runs
};

constexpr uint64_t kAllSignals = ~uint64_t{0};

Look look_at(int tid) {
  ProcText text;
  // The time first: the thread may run in between.
  Look look = {tid, time_ran(tid), kAllSignals, false, false};
  if (!read_proc(task_file(tid, "status").c_str(), text)) {
    // Gone; or no file can be opened, which is no proof.
    look.rests = is_thread_gone(tid);
    look.blocked = look.rests ? 0 : kAllSignals;
    return look;
  }
  const char *state = status_line(text, "State"), *pending = status_line(text, "SigPnd");
  const char *mask = status_line(text, "SigBlk");
  if (mask)
    look.blocked = number_at(mask, 16);
  look.is_ready = state && *state == 'R';
  look.rests = state && pending && *state == 'S' && !(number_at(pending, 16) >> (SIGTRAP - 1) & 1);
  return look;
}

// The threads as they were seen last, in the kernel's order. One whose time has not moved since has
// executed nothing: its mask is what it was, and if it rested it has met no int3. A look is 20 us,
// asking for the time less than one: a batch among a thousand sleepers depends on it.
Array<Look> &looks(int which) {
  static Eternal<Array<Look>, 2> looks;
  return looks[(size_t)which];
}

// Calls `visit(look)` for each thread but this one until it returns false; likewise.
template <class Visit> bool look_at_others(Visit visit) {
  Array<Look> &last = looks(0), &seen = looks(1);
  seen.clear();
  uint64_t next = 0;
  bool all = visit_others([&](int tid) {
    while (next < last.size() && last[next].tid < tid)
      next++;
    bool known = next < last.size() && last[next].tid == tid && last[next].rests &&
                 time_ran(tid) == last[next].ran_ns;
    Look look = known ? last[next] : look_at(tid);
    return seen.push(look) && visit(look);
  });
  last.swap(seen);
  return all;
}

} // namespace

bool single_threaded() {
  ProcText text;
  read_proc("/proc/self/stat", text);
  const char *threads = stat_field(text, 20);
  return threads && number_at(threads, 10) == 1;
}

bool debugger_attached() {
  ProcText text;
  read_proc("/proc/self/status", text);
  const char *tracer = status_line(text, "TracerPid");
  return tracer && *tracer != '0';
}

bool others_block(int signal) {
  const uint64_t bit = uint64_t{1} << (signal - 1);
  struct Blocker {
    int tid;
    int looks; // at which it slept, or had gone on since the last one
    uint64_t ran_ns;
  };
  Array<Blocker> blockers;
  if (!look_at_others([&](const Look &look) {
        return !(look.blocked & bit) || blockers.push({look.tid, 0, look.ran_ns});
      }))
    return true;
  int starved_looks = 0;
  for (int look = 0;
       !blockers.empty() && look - starved_looks < kMostLooks && starved_looks < kMostStarvedLooks;
       look++) {
    timespec pause = {0, look < 200 ? 100'000 : look < 400 ? 500'000 : 2'000'000};
    sys(SYS_nanosleep, &pause, nullptr);
    uint64_t kept = 0;
    bool all_starve = true;
    for (Blocker b : blockers) {
      Look now = look_at(b.tid);
      if (!(now.blocked & bit))
        continue;
      // One that runs may block signals over and over, as libc does to start a thread.
      if (now.ran_ns >= b.ran_ns + kGoneOnNs || now.rests)
        b.looks += now.rests ? 4 : 1;
      all_starve &= now.is_ready && now.ran_ns == b.ran_ns;
      b.ran_ns = now.ran_ns;
      if (b.looks >= 400)
        return true;
      blockers[kept++] = b;
    }
    blockers.shrink(kept);
    starved_looks += all_starve;
  }
  return !blockers.empty();
}

bool TrappedThreads::take_all() {
  threads_.clear();
  known_ = look_at_others(
      [this](const Look &look) { return look.rests || threads_.push({look.tid, look.ran_ns}); });
  return known_;
}

bool TrappedThreads::all_through() {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < threads_.size(); i++) {
    Thread thread = threads_[i];
    if (time_ran(thread.tid) < thread.ran_ns + kThroughNs && !look_at(thread.tid).rests)
      threads_[kept++] = thread;
  }
  threads_.shrink(kept);
  return known_ && kept == 0;
}

} // namespace nophook
