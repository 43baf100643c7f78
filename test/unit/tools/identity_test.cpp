// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that a number of another PID namespace means.

#include "foundation/identity.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace nophook;

// The list of all processes is made again every 20 ms, by the next thread that asks.
TEST(Identity, ThreadsAskAtOnce) {
  constexpr OwnName kElsewhere = {.pid_namespace = 1, .number = 1};
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back([&] {
      while (std::chrono::steady_clock::now() < end)
        EXPECT_EQ(number_here(kElsewhere), 0);
    });
  for (std::thread &thread : threads)
    thread.join();
}
