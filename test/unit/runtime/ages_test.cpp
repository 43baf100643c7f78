// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of ages: the oldest first, nothing lost, nothing twice. test/litmus/ages.py has its
// steps.

#include "buffer/ages.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace nophook {
namespace {

struct Table {
  explicit Table(uint32_t count) : words(new uint64_t[age_words(count)]()), count(count) {
    prepare_ages(ages, words.get(), count);
  }
  uint32_t take(uint64_t *time) { return take_oldest(ages, count, time); }
  std::unique_ptr<uint64_t[]> words;
  uint32_t count;
  Ages ages;
};

class AgesOf : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, AgesOf, testing::Values(1, 63, 64, 65, 4096, 4097, 65536, 262144));

TEST_P(AgesOf, TheOldestIsTakenFirst) {
  Table table(GetParam());
  std::mt19937 random(GetParam());
  std::set<std::pair<uint64_t, uint32_t>> reference;
  uint64_t time, now = 1000;
  EXPECT_EQ(table.take(&time), kNoAge);
  for (int i = 0; i < 3000; i++) {
    uint32_t index = random() % table.count;
    bool is_there = std::ranges::any_of(reference, [&](auto &one) { return one.second == index; });
    if (random() % 3 && !is_there && reference.size() < 200) {
      uint64_t age = random() % 4 ? now++ : random() % now; // some are old
      while (reference.lower_bound({age, 0}) != reference.end() &&
             reference.lower_bound({age, 0})->first == age)
        age = now++;
      put_age(table.ages, index, age);
      reference.insert({age, index});
    } else if (is_there && random() % 2) {
      ASSERT_TRUE(take_age(table.ages, index, &time));
      ASSERT_EQ(reference.erase({time, index}), 1u);
    } else if (uint32_t taken = table.take(&time); taken != kNoAge) {
      ASSERT_EQ((std::pair{time, taken}), *reference.begin());
      reference.erase(reference.begin());
    } else {
      ASSERT_TRUE(reference.empty());
    }
  }
}

TEST(Ages, OneThatIsNotThereIsNotTaken) {
  Table table(100);
  uint64_t time;
  EXPECT_FALSE(take_age(table.ages, 7, &time));
  put_age(table.ages, 7, 5);
  drop_age(table.ages, 7);
  EXPECT_EQ(table.take(&time), kNoAge);
}

// Each thread takes an entry that any thread has put, and puts it back as the newest: each entry is
// with one thread at a time, and none is overlooked, since there are more entries than threads.
TEST(Ages, EachGoesToOneThread) {
  constexpr uint32_t kThreads = 4, kTurns = 20000, kCirculating = 8;
  Table table(300);
  std::vector<std::atomic<int>> holders(table.count);
  std::atomic<int> twice = 0;
  std::atomic<uint64_t> now = 1;
  for (uint32_t i = 0; i < kCirculating; i++)
    put_age(table.ages, i * 37, now++);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; i++)
    threads.emplace_back([&] {
      for (uint32_t turn = 0; turn < kTurns; turn++) {
        uint64_t time;
        uint32_t index = table.take(&time);
        if (index == kNoAge)
          continue;
        twice += holders[index].fetch_add(1) != 0;
        holders[index].fetch_sub(1);
        put_age(table.ages, index, now++);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(twice, 0);
  uint64_t time, last = 0;
  for (uint32_t i = 0; i < kCirculating; i++, last = time) {
    ASSERT_NE(table.take(&time), kNoAge);
    EXPECT_GT(time, last);
  }
  EXPECT_EQ(table.take(&time), kNoAge);
}

} // namespace
} // namespace nophook
