// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that threads have one of each: rings, tables of rings. Threads end without a word to us,
// so when none is free, one is taken over from a thread that is gone. Whoever changes its tid by a
// CAS has it. In the slow path of an event, signals blocked.

#pragma once

#include "base/syscall.h"

#include <errno.h>

namespace nophook {

inline bool is_gone(int32_t tid) {
  return sys(SYS_tgkill, sys(SYS_getpid), tid, 0) == -ESRCH;
}

struct Claim {
  uint32_t index; // the number of places: there is none
  int32_t before; // whose it was; 0: nobody's
};

// `tid_at(i)` points to who has place i, 0: nobody; `is_left(i, owner)` tells whether it may be
// taken from that thread, of which some are looked at, in turns: an event of a thread that finds
// none comes here again. `turn` may have any value.
template <class TidAt, class IsLeft>
Claim claim_place(uint32_t count, int32_t tid, uint32_t *turn, TidAt tid_at, IsLeft is_left) {
  constexpr uint32_t kLooks = 16;
  auto take = [&](uint32_t i, int32_t from) {
    return __atomic_compare_exchange_n(tid_at(i), &from, tid, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
  };
  for (uint32_t i = 0; i < count; i++)
    if (__atomic_load_n(tid_at(i), __ATOMIC_RELAXED) == 0 && take(i, 0))
      return {i, 0};
  for (uint32_t look = 0; look < kLooks; look++) {
    uint32_t i = __atomic_fetch_add(turn, 1, __ATOMIC_RELAXED) % count;
    int32_t owner = __atomic_load_n(tid_at(i), __ATOMIC_RELAXED);
    if (owner && is_left(i, owner) && take(i, owner))
      return {i, owner};
  }
  return {count, 0};
}

} // namespace nophook
