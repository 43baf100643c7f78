// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that are times, and those that are not.

#include "foundation/time_text.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

uint64_t ns_of(std::string_view text) {
  uint64_t ns = 0;
  EXPECT_EQ(parse_time(text, &ns), "") << text;
  return ns;
}

std::string problem_of(std::string_view text) {
  uint64_t ns = 0;
  return parse_time(text, &ns);
}

} // namespace

TEST(TimeText, HasEachUnit) {
  EXPECT_EQ(ns_of("300ns"), 300u);
  EXPECT_EQ(ns_of("10us"), 10'000u);
  EXPECT_EQ(ns_of("2.5ms"), 2'500'000u);
  EXPECT_EQ(ns_of("1s"), 1'000'000'000u);
  EXPECT_EQ(ns_of("0.001s"), 1'000'000u);
  EXPECT_EQ(ns_of("5m"), 300'000'000'000u);
  EXPECT_EQ(ns_of("2h"), 7'200'000'000'000u);
  EXPECT_EQ(ns_of("0ns"), 0u);
}

TEST(TimeText, IsInSecondsWithoutAUnit) {
  EXPECT_EQ(ns_of("10"), 10'000'000'000u);
  EXPECT_EQ(ns_of("0.5"), 500'000'000u);
}

TEST(TimeText, IsNothingElse) {
  for (const char *text : {"", "ms", "-1s", "1 s", "1.2.3s", "5d", "1e3s", "s1", "99999999999999h"})
    EXPECT_EQ(problem_of(text),
              "'" + std::string(text) + "' is not a time, such as 10us, 2.5ms, 1s or 5m");
}
