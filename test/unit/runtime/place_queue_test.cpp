// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of places that threads have left: first in, first out, nothing lost, nothing twice.

#include "buffer/place_queue.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace nophook {
namespace {

TEST(PlaceQueue, GivesTheOldestFirst) {
  auto queue = std::make_unique<PlaceQueue>();
  EXPECT_EQ(pop_place(queue.get()), kNoPlace);
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < kPlaces; i++)
      EXPECT_TRUE(push_place(queue.get(), i));
    EXPECT_FALSE(push_place(queue.get(), 7));
    for (uint32_t i = 0; i < kPlaces; i++)
      EXPECT_EQ(pop_place(queue.get()), i);
    EXPECT_EQ(pop_place(queue.get()), kNoPlace);
  }
}

TEST(PlaceQueue, CountsOnPastTheLargestTicket) {
  auto queue = std::make_unique<PlaceQueue>();
  queue->head = queue->tail = 0u - kPlaces;
  for (auto &cell : queue->cells)
    cell.turn = 0u - kPlaces;
  for (uint32_t i = 0; i < 3 * kPlaces; i++) {
    EXPECT_TRUE(push_place(queue.get(), i));
    EXPECT_EQ(pop_place(queue.get()), i);
  }
}

TEST(PlaceQueue, HandsEachPlaceToOneThread) {
  constexpr uint32_t kThreads = 4, kTurns = 20000, kCirculating = 16;
  auto queue = std::make_unique<PlaceQueue>();
  std::vector<std::atomic<int>> holders(kCirculating);
  std::atomic<int> wrong = 0;
  for (uint32_t i = 0; i < kCirculating; i++)
    push_place(queue.get(), i);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; i++)
    threads.emplace_back([&] {
      for (uint32_t turn = 0; turn < kTurns; turn++) {
        uint32_t place = pop_place(queue.get());
        if (place == kNoPlace)
          continue;
        wrong += holders[place].fetch_add(1) != 0;
        holders[place].fetch_sub(1);
        // It is full while another thread is between a ticket and its cell: that thread gets a
        // turn.
        while (!push_place(queue.get(), place))
          std::this_thread::yield();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  std::vector<bool> seen(kCirculating);
  for (uint32_t i = 0; i < kCirculating; i++) {
    uint32_t place = pop_place(queue.get());
    ASSERT_LT(place, kCirculating);
    EXPECT_FALSE(seen[place]);
    seen[place] = true;
  }
}

} // namespace
} // namespace nophook
