// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the threads of a process are tried, and the threads that are left alone.
//
// A stop ends some system calls early: a `write` that has written a part returns that part, and a
// timeout in memory begins again. The system call that a thread sleeps in, and its arguments, can
// be read without a stop (/proc/TID/syscall). So the threads whose call goes on as if nothing had
// been are stopped first, and one that sleeps where no thread may be used is not stopped at all.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

struct Candidate {
  // Ranks, in the order in which threads are tried.
  enum class Rank : uint8_t {
    kAsleep,    // its call goes on after the stop
    kRuns,      // at a good place only by chance
    kEndsShort, // sleeps in a call that ends early, or whose timeout begins again
    kElsewhere, // sleeps in a call in which no thread may be used: not tried
  };

  int32_t tid;
  std::string folder; // in /proc
  Rank rank;
  long call; // number of the system call; -1: none
};

// All threads of the process, in their order.
std::vector<Candidate> candidates(int32_t pid);

} // namespace nophook
