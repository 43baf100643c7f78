// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of the sub-buffer that a flight recorder overwrites next: the one whose last event is
// the oldest, of all threads. With 4 GiB there are 65,536 of them, and a search through all would
// cost 26 us each time. A heap or a sorted list would need a lock, and a thread that holds it may
// be stopped by a debugger, or be a vfork child that is killed.
//
// So each sub-buffer that may be overwritten has a key, in a table without links, and above it are
// two levels of hints: the oldest key of each 64 below. A search goes down along the hints, some
// 150 loads. A key is the complement of a time, so that memory that is all zero is an empty table,
// and the oldest has the largest key.
//
//      hints    top      [ 97 ]                         a hint is never smaller than any key
//               middle   [ 97  12  60 ... ]             below it, once its writers are done
//      keys     [ 3  97  0 ... ] [ 12  0 ... ] [ 60 ... ]
//
// The invariant is kept by two rules. A thread that stores a key looks at the hints afterwards, and
// raises those that are smaller. A thread that lowers a hint looks at the keys below afterwards,
// and raises it again if a larger key has appeared there. There is a full fence between the two
// steps of both, so one of the two threads sees the other's step (docs/design/memory_order.md).
//
// A thread takes a key by exchanging it for 0: one thread gets it. A hint that is too large costs a
// look, and is lowered by the thread that finds it. If the hints show nothing, all keys are looked
// at: a thread that has lowered a hint may not have raised it again yet. So a thread that dies
// between two steps leaves nothing locked or broken: at most a key is found later.
// test/litmus/ages.py tries all interleavings of some threads.
//
// Any thread, signal handlers; no lock; lock-free. All zero in a fork child.

#pragma once

#include <stdint.h>

namespace nophook {

constexpr uint32_t kAgeFanOut = 64;
constexpr uint32_t kNoAge = ~0u;

struct Ages {
  static constexpr uint32_t kLevels = 3; // keys, hints, and hints of hints
  uint64_t *level[kLevels];
  uint32_t length[kLevels];
};

// The size of a table for `count` sub-buffers, in 8-byte words.
uint64_t age_words(uint32_t count);
// Lays the table out in these words, which are 0.
void prepare_ages(Ages &ages, uint64_t *words, uint32_t count);

// Lets the sub-buffer be overwritten from now on; `time` is its last event's. The thread that takes
// it sees all earlier stores of the caller.
void put_age(Ages &ages, uint32_t index, uint64_t time);

// Takes the oldest out of the table, or kNoAge. `*time`: that of its last event. `end`: behind the
// last sub-buffer that was ever put there.
uint32_t take_oldest(Ages &ages, uint32_t end, uint64_t *time);

// Takes this one out of the table. False: it is not there.
bool take_age(Ages &ages, uint32_t index, uint64_t *time);

// Drops a key of an earlier use of the sub-buffer; called by its new owner.
inline void drop_age(Ages &ages, uint32_t index) {
  if (__atomic_load_n(&ages.level[0][index], __ATOMIC_RELAXED))
    __atomic_store_n(&ages.level[0][index], 0, __ATOMIC_RELAXED);
}

} // namespace nophook
