// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of calls, one of 8 bytes for each function.
//
// A rate counts the calls of a window of time, so each call needs the time. The kernel's clock
// takes a system call, which costs 50 times as much as the rest of a call that is left out. So
// windows are of the CPU's counter. Where that does not run evenly, the kernel's clock is read only
// when a call would be left out, and not for each of them.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

// A word of a rate: the number of calls in the high half, the window that they are of in the low
// one. A function that is left out for good has this word.
constexpr uint64_t kMuted = ~uint64_t{0};

// Refused calls for which a dear clock is read: the 1st, 2nd, 3rd, 5th, 9th, 17th and 33rd of
// these.
constexpr uint32_t kRefusedInTurn = 64;

// Counts a call in its window, whose number now() returns. False: the window has had `most` calls
// before. `is_dear`: now() takes a system call. A window then ends when a call of a later one has
// been refused, or was going to be. In callbacks.
template <class Now> bool count_call(uint64_t *word, uint32_t most, bool is_dear, Now now) {
  uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    if (old == kMuted)
      return false;
    uint32_t calls = (uint32_t)(old >> 32), window = (uint32_t)old;
    const uint32_t refused = calls - most; // if that many have been allowed
    const bool asks = !is_dear || (calls >= most && !(refused & (refused - 1)));
    if (const uint32_t present = asks ? now() : window; present != window)
      calls = 0, window = present;
    const bool is_full = calls >= most;
    if (is_full && !is_dear)
      return false;
    calls = is_full && calls - most == kRefusedInTurn - 1 ? most : calls + 1;
    if (__atomic_compare_exchange_n(word, &old, (uint64_t)calls << 32 | window, true,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return !is_full;
  }
}

// Counts a call. True for each of which the number is a multiple of `every`. A thread that gets
// such a number takes `every` off again, so that few calls need a division, which takes as long as
// all the rest. In callbacks.
inline bool is_nth_call(uint64_t *word, uint64_t every) {
  const uint64_t calls = __atomic_add_fetch(word, 1, __ATOMIC_RELAXED);
  if (calls < every || calls % every)
    return false;
  __atomic_sub_fetch(word, every, __ATOMIC_RELAXED);
  return true;
}

// Counters by function id. They are mapped for functions that exist, 4096 at a time: a mapping for
// all ids that there may be, 32 MiB a rule, is filled at once by a program that locks its memory
// (mlockall), and counts against its limit (ulimit -l).
class CallCounters {
public:
  // For all functions that there are. Under the runtime's lock. Errors: ENOMEM.
  Status reserve();
  // No callback reads them. Under the lock.
  void release();
  // Functions with kMuted begin to count again. Under the lock.
  void forget_muted();

  // In callbacks. Null: nothing has been reserved for it.
  uint64_t *of(uint32_t id) const {
    uint64_t **table = __atomic_load_n(&chunks_, __ATOMIC_ACQUIRE);
    uint64_t *chunk = table ? __atomic_load_n(&table[id >> kShift], __ATOMIC_ACQUIRE) : nullptr;
    return chunk ? &chunk[id & (kChunkIds - 1)] : nullptr;
  }
  bool has_muted(uint32_t id) const {
    const uint64_t *counter = of(id);
    return counter && __atomic_load_n(counter, __ATOMIC_RELAXED) == kMuted;
  }
  bool any() const { return __atomic_load_n(&chunks_, __ATOMIC_RELAXED); }

private:
  static constexpr uint32_t kShift = 12, kChunkIds = 1 << kShift;

  // Chunks are added under the runtime's lock. Release and acquire, in pairs: a callback finds the
  // table and the chunk whole, or none.
  uint64_t **chunks_;
};

} // namespace nophook
