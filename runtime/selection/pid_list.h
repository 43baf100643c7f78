// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads and processes that are chosen by their numbers: set_ftrace_pid, set_event_pid
// and their opposites, of the main tree and of each instance. A process stands for all of its
// threads.
//
// Changed under the runtime's lock, while callbacks read: each number is whole.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

class PidList {
public:
  bool is_empty() const { return !__atomic_load_n(&count_, __ATOMIC_RELAXED); }
  bool has(int32_t tid, int32_t pid) const;

  void clear() { __atomic_store_n(&count_, 0, __ATOMIC_RELEASE); }
  // Adds a number; one that the list has already is not added again. Errors: ENOSPC.
  Status add(int32_t id);
  // Reads numbers with white space or commas between them, and adds them to the list or replaces
  // it. Errors: EINVAL, ENOSPC; then nothing has changed.
  enum class How : uint8_t { kAdd, kReplace };
  Status change(const char *text, uint64_t bytes, How how);

  // Shows one number a line, without the last line's end; `nothing` if there are none.
  template <class To> void show(To &text, const char *nothing) const {
    text.add(is_empty() ? nothing : "");
    for (uint32_t i = 0; i < count_; i++)
      text.add(i ? "\n" : "").number((uint64_t)ids_[i]);
  }

private:
  static constexpr uint32_t kMost = 64;
  uint32_t count_;
  int32_t ids_[kMost];
};

enum class PidFilter : uint8_t { kPid, kNotrace };

// Whether a thread is chosen: it is in the one list, unless that is empty, and not in the other.
struct ChosenThreads {
  PidList only, never;

  PidList &list(PidFilter which) { return which == PidFilter::kPid ? only : never; }
  bool is_set() const { return !only.is_empty() || !never.is_empty(); }
  bool has(int32_t tid, int32_t pid) const {
    return (only.is_empty() || only.has(tid, pid)) && !never.has(tid, pid);
  }
};

} // namespace nophook
