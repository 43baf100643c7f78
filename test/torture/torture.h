// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of ftrace-torture share this: the report of failures, and the counts of each thread.

#pragma once

#include "cpu.h"
#include "functions.h"

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <shared_mutex>
#include <signal.h>
#include <string>
#include <time.h>

inline std::atomic<bool> over;
inline std::atomic<long> failures;
inline std::atomic<long> total_calls, total_changes, total_signals, total_forks, total_loads,
    total_uprobes;
inline std::atomic<const char *> doing[64]; // for the line that says what hangs
inline uint64_t g_seed;
inline unsigned long leaf_site, unwatched_site; // addresses of these functions' sites
inline bool stops_at_failure;

// In this thread, its signal handlers included: calls that the ops which is always there has seen,
// and calls whose body was left out.
extern thread_local long seen, overridden;
GENERAL_REGS void see(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops,
                      ftrace_regs *regs);
void on_alarm(int signal);
constexpr int kHandled[] = {SIGALRM, SIGWINCH, SIGURG}; // by it

void fail(const std::string &what);
void expected(long wanted, long got, const char *what);
void must(int result, const char *what); // 0, or a negative errno
void set_filter(ftrace_ops *ops, const char *text);

// Every signal; where int3 is asked for, all but its own: a thread that blocks that makes changes
// fail.
sigset_t all_signals();

// Runs until it is over. The caller `blocks` every signal for good.
void caller(unsigned number, uint64_t seed, bool blocks);

using Step = void (*)(std::mt19937_64 &);
struct Toggler {
  const char *name;
  Step step;
};
extern const Toggler kTogglers[];
extern const unsigned kTogglerCount;
void toggler(unsigned number, uint64_t seed, const Toggler &what);

// The libraries that come and go. Callers hold a library's lock while they are in it.
template <unsigned Number> void torture_library(std::mt19937_64 &random);
void call_library();

// handler_forks.cpp. While it lives this thread may be interrupted by a handler, which forks if it
// finds itself in the runtime.
class HandlerForks {
public:
  explicit HandlerForks(std::mt19937_64 &random);
  ~HandlerForks();

private:
  timer_t timer_ = {};
  bool is_on_ = false;
};

// instances.cpp.
void torture_instance(std::mt19937_64 &random);

// sandboxes.cpp. Without filters of system calls it does nothing.
void torture_sandbox(std::mt19937_64 &random);

// children.cpp. Called by a forked child first: it ends if it hangs, and counts no syncs. The other
// waits for it, and fails unless its status is 0; `what` it is, for the message.
void begin_child();
void expect_child(pid_t child, const char *what);

// prefork.cpp.
void torture_prefork(std::mt19937_64 &random);

// sequences.cpp. Without rseq it does nothing.
void torture_sequences(std::mt19937_64 &random);
void expect_sequences(); // in the end

// uprobes.cpp. Where the kernel refuses them it does nothing, and total_uprobes stays 0.
void torture_uprobe(std::mt19937_64 &random);

// syncs.cpp. The syncs that this thread has made in its life: all steps of its batches, and a grace
// period.
class Syncs {
public:
  Syncs();
  void expect_grace_period() const;

private:
  long syncs_, steps_;
};
void watch_syncs();
void stop_watching(); // a process with one thread needs none

// records.cpp: once nobody has asked for functions but the ops that sees all, or nobody at all.
void expect_records(bool seen);
