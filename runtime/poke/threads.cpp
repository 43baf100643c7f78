// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the status files of the process's threads. If /proc is not mounted, or a filter forbids
// opening it, each question has the safe answer: there are other threads, they block the signal,
// they are still on their way.

#include "poke/threads.h"

#include "base/eternal.h"
#include "base/own_identity.h"
#include "base/proc.h"
#include "base/thread_facts.h"
#include "base/thread_list.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

namespace nophook {
namespace {

// A thread that has run this much longer has executed some events more.
constexpr uint64_t kGoneOnNs = 20 * 1000;
// The first 400 looks take about a tenth of a second, the others five: the time that is left to a
// thread which was interrupted while it blocked a signal.
constexpr int kMostLooks = 400 + 2500;
// A thread that is ready to run and gets no processor makes no progress between two looks. Loaded
// machines have left new threads, which libc starts with all signals blocked, without one for more
// than five seconds. These looks take a minute.
constexpr int kMostStarvedLooks = 30'000;
// The most listings of threads, if none of them is whole: a tenth of a second.
constexpr int kMostListings = 1000;
constexpr long kPauseNs = 100'000;

void pause(long ns) {
  const timespec time = {0, ns};
  sys(SYS_nanosleep, &time, nullptr);
}

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

// The result of one look at a thread.
struct Look {
  int tid;
  uint64_t ran_ns;
  uint64_t blocked; // set of blocked signals
  char state;       // its state, as in its status file; 0: there is no such thread
  bool rests;       // whether it is gone, or sleeps without a pending SIGTRAP
};

constexpr uint64_t kAllSignals = ~uint64_t{0};

Look look_at(int tid) {
  ProcText text;
  // The time is read first: the thread may run in between.
  Look look = {tid, time_ran(tid), kAllSignals, 0, false};
  if (!read_proc(task_file(tid, "status").c_str(), text)) {
    // The thread is gone; or no file can be opened, which is no proof.
    look.rests = is_thread_gone(tid);
    look.blocked = look.rests ? 0 : kAllSignals;
    return look;
  }
  const char *state = status_line(text, "State"), *pending = status_line(text, "SigPnd");
  const char *mask = status_line(text, "SigBlk");
  if (mask)
    look.blocked = number_at(mask, 16);
  look.state = state ? *state : 0;
  look.rests = pending && look.state == 'S' && !(number_at(pending, 16) >> (SIGTRAP - 1) & 1);
  return look;
}

// The last look at each thread, in the kernel's order. A thread whose time has not moved since has
// executed nothing: its mask is what it was, and if it rested it has met no int3. A look is 20 us,
// asking for the time less than one: a batch among a thousand sleepers depends on it.
Array<Look> &looks(int which) {
  static Eternal<Array<Look>, 2> looks;
  return looks[(size_t)which];
}

// Calls `visit(look)` for each thread but this one until it returns false. False: not all were
// visited; where threads end faster than they are listed, that is so.
template <class Visit> bool look_at_others(Visit visit) {
  static Eternal<ThreadList> threads;
  bool all = threads->read_whole();
  Array<Look> &last = looks(0), &seen = looks(1);
  seen.clear();
  uint64_t next = 0;
  for (const int32_t *tid = threads->begin(); all && tid != threads->end(); tid++) {
    while (next < last.size() && last[next].tid < *tid)
      next++;
    bool known = next < last.size() && last[next].tid == *tid && last[next].rests &&
                 time_ran(*tid) == last[next].ran_ns;
    Look look = known ? last[next] : look_at(*tid);
    all = seen.push(look) && visit(look);
  }
  if (all)
    last.swap(seen);
  return all;
}

// Whether the thread may be on its way from the birth of a vfork child to that child's end: in a
// part of the kernel in which it runs, or sleeps so that no signal wakes it.
bool may_have_vfork_child(const Look &look) {
  if (look.rests || look.state == 'R')
    return !look.rests;
  ProcText call; // the system call's number, "-1" in a fault, or "running"
  return !look.state || (look.state == 'D' &&
                         (!read_proc(task_file(look.tid, "syscall").c_str(), call) ||
                          *call == 'r' || (*call != '-' && may_lend_memory(number_at(call, 10)))));
}

// A thread that int3 may kill, or whose vfork child int3 may kill.
struct Endangered {
  int tid;
  bool blocks;     // whether it blocks SIGTRAP
  bool may_lend;   // whether it may lend its memory to a vfork child with older handlers
  int looks;       // number of looks at which it slept, or had run since the look before
  uint64_t ran_ns; // its running time at the last look
  uint64_t user_first_ns;
};

bool update(Endangered &thread, const Look &now) {
  thread.blocks = now.blocked >> (SIGTRAP - 1) & 1;
  thread.may_lend = thread.may_lend && time_in_user_mode(now.tid) == thread.user_first_ns &&
                    may_have_vfork_child(now);
  // A running thread may block signals over and over, as libc does to start a thread.
  if (thread.blocks && (now.ran_ns >= thread.ran_ns + kGoneOnNs || now.rests))
    thread.looks += now.rests ? 4 : 1;
  return thread.blocks || thread.may_lend;
}

// Finds the threads that int3 may kill, as far as the first look shows. False: the kernel does not
// show it.
bool find_endangered(bool is_inherited, Array<Endangered> *found) {
  return look_at_others([&](const Look &look) {
    const uint64_t user_ns = is_inherited ? 0 : time_in_user_mode(look.tid);
    Endangered thread = {look.tid, false, !is_inherited, 0, look.ran_ns, user_ns};
    return !update(thread, look) || found->push(thread);
  });
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

const char *killed_by_traps(bool is_inherited) {
  constexpr const char *kUnknown = "threads that the kernel does not show";
  constexpr const char *kBlocks = "a thread that blocks SIGTRAP";
  constexpr const char *kChild = "a child of vfork that was there before";
  Array<Endangered> threads;
  bool is_known = find_endangered(is_inherited, &threads);
  for (int i = 0; !is_known && i < kMostListings; i++) {
    pause(kPauseNs);
    threads.clear();
    is_known = find_endangered(is_inherited, &threads);
  }
  if (!is_known)
    return kUnknown;
  int starved_looks = 0;
  for (int look = 0;
       !threads.empty() && look - starved_looks < kMostLooks && starved_looks < kMostStarvedLooks;
       look++) {
    pause(look < 200 ? kPauseNs : look < 400 ? 5 * kPauseNs : 20 * kPauseNs);
    uint64_t kept = 0;
    bool all_starve = true;
    for (Endangered thread : threads) {
      const Look now = look_at(thread.tid);
      if (!update(thread, now))
        continue;
      all_starve &= now.state == 'R' && now.ran_ns == thread.ran_ns;
      thread.ran_ns = now.ran_ns;
      if (thread.looks >= 400)
        return kBlocks;
      threads[kept++] = thread;
    }
    threads.shrink(kept);
    starved_looks += all_starve;
  }
  return threads.empty() ? nullptr : threads[0].blocks ? kBlocks : kChild;
}

} // namespace nophook
