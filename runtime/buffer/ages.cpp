// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of ages: keys, two levels of hints above them, and the fences between a store and the
// look that follows it.

#include "buffer/ages.h"

namespace nophook {
namespace {

// The most looks of a search; each look that fails is another thread's success.
constexpr uint32_t kMostLooks = 65536;

uint32_t above(uint32_t count) {
  return (count + kAgeFanOut - 1) / kAgeFanOut;
}

struct Largest {
  uint64_t key;
  uint32_t at;
};

Largest largest(const Ages &ages, uint32_t level, uint32_t begin, uint32_t end) {
  const uint64_t *keys = ages.level[level];
  Largest found = {0, begin};
  for (uint32_t i = begin; i < end; i++)
    if (uint64_t key = __atomic_load_n(&keys[i], __ATOMIC_RELAXED); key > found.key)
      found = {key, i};
  return found;
}

// The largest key below element `at` of the level above.
Largest largest_below(const Ages &ages, uint32_t level, uint32_t at) {
  uint32_t begin = at * kAgeFanOut, end = begin + kAgeFanOut;
  return largest(ages, level, begin, end < ages.length[level] ? end : ages.length[level]);
}

// Raises the hints from the level above the key on. The caller has stored the key, with a fence
// behind it.
void raise_hints(Ages &ages, uint32_t level, uint32_t index, uint64_t key) {
  for (; level < Ages::kLevels; level++, index /= kAgeFanOut) {
    uint64_t *hint = &ages.level[level][index], had = __atomic_load_n(hint, __ATOMIC_RELAXED);
    while (had < key && !__atomic_compare_exchange_n(hint, &had, key, false, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {
    }
    if (had < key) // this thread has raised it
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// Lowers the hint of element `index`, `had`, if nothing below it is as large.
void lower_hint(Ages &ages, uint32_t level, uint32_t index, uint64_t had, uint64_t key) {
  if (!__atomic_compare_exchange_n(&ages.level[level][index], &had, key, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (Largest now = largest_below(ages, level - 1, index); now.key)
    raise_hints(ages, level, index, now.key);
}

// Takes a key. Acquire: pairs with put_age(). All earlier stores of its owner are visible then.
bool take_key(uint64_t *at, uint64_t key) {
  return __atomic_compare_exchange_n(at, &key, 0, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

} // namespace

uint64_t age_words(uint32_t count) {
  return count + above(count) + above(above(count));
}

// The smaller levels come first, so that the used part of a small table is one page.
void prepare_ages(Ages &ages, uint64_t *words, uint32_t count) {
  ages.length[0] = count;
  ages.length[1] = above(count);
  ages.length[2] = above(above(count));
  for (uint32_t level = Ages::kLevels; level-- > 0; words += ages.length[level])
    ages.level[level] = words;
}

void put_age(Ages &ages, uint32_t index, uint64_t time) {
  uint64_t key = ~time;
  __atomic_store_n(&ages.level[0][index], key, __ATOMIC_RELEASE); // pairs with take_oldest()
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  raise_hints(ages, 1, index / kAgeFanOut, key);
}

uint32_t take_oldest(Ages &ages, uint32_t end, uint64_t *time) {
  constexpr uint32_t kTop = Ages::kLevels - 1;
  for (uint32_t looks = 0; looks < kMostLooks; looks++) {
    Largest found = largest(ages, kTop, 0, ages.length[kTop]);
    uint32_t level = found.key ? kTop : 0;
    if (!found.key) // another thread may be about to raise a hint again, or was killed before that
      found = largest(ages, 0, 0, end);
    if (!found.key)
      return kNoAge;
    for (; level > 0; level--) {
      Largest below = largest_below(ages, level - 1, found.at);
      if (below.key < found.key) {
        lower_hint(ages, level, found.at, found.key, below.key);
        break;
      }
      found = below;
    }
    if (level == 0 && take_key(&ages.level[0][found.at], found.key)) {
      *time = ~found.key;
      return found.at;
    }
  }
  return kNoAge;
}

bool take_age(Ages &ages, uint32_t index, uint64_t *time) {
  uint64_t key = __atomic_exchange_n(&ages.level[0][index], 0, __ATOMIC_ACQUIRE);
  *time = ~key;
  return key != 0;
}

} // namespace nophook
