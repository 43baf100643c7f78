// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The growing array and the raw system calls beneath it.

#include "base/memory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <unistd.h>

using namespace nophook;

TEST(Array, GrowsAndKeepsWhatItHolds) {
  Array<uint64_t> array;
  EXPECT_TRUE(array.empty());
  for (uint64_t i = 0; i < 10'000; i++)
    ASSERT_TRUE(array.push(i * i));
  ASSERT_EQ(array.size(), 10'000u);
  for (uint64_t i = 0; i < 10'000; i++)
    ASSERT_EQ(array[i], i * i);
  array.shrink(3);
  EXPECT_EQ(array.end() - array.begin(), 3);
  array.clear();
  EXPECT_TRUE(array.empty());
}

TEST(Array, RefusesWhatThereIsNoMemoryFor) {
  Array<uint64_t> array;
  ASSERT_TRUE(array.push(42));
  EXPECT_FALSE(array.reserve(uint64_t{1} << 50));
  EXPECT_EQ(array[0], 42u);
}

TEST(Syscall, GivesNegatedErrnosAndLeavesErrno) {
  errno = 7;
  const long result = sys(SYS_close, -1);
  EXPECT_TRUE(sys_failed(result));
  EXPECT_EQ(result, -EBADF);
  EXPECT_EQ(errno, 7);
  EXPECT_EQ(sys(SYS_getpid), getpid());
  EXPECT_FALSE(sys_failed(sys(SYS_getpid)));
}

TEST(Rounding, ToPages) {
  EXPECT_EQ(round_up(0, 4096), 0u);
  EXPECT_EQ(round_up(1, 4096), 4096u);
  EXPECT_EQ(round_up(4096, 4096), 4096u);
  EXPECT_EQ(round_down(4095, 4096), 0u);
  EXPECT_EQ(round_down(8191, 4096), 4096u);
}
