// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The word that a mistyped word is taken for.

#include "foundation/closest.h"

#include <gtest/gtest.h>

using namespace nophook;

TEST(Closest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("report", "report"), 0u);
  EXPECT_EQ(edit_distance("reprot", "report"), 1u); // two letters exchanged
  EXPECT_EQ(edit_distance("repot", "report"), 1u);
  EXPECT_EQ(edit_distance("rxport", "report"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Closest, IsNearEnoughOrTheOnlyBegin) {
  const std::vector<std::string> verbs = {"record", "report", "recover", "ps", "latency"};
  EXPECT_EQ(closest("reprot", verbs), "report");
  EXPECT_EQ(closest("latncy", verbs), "latency");
  EXPECT_EQ(closest("lat", verbs), "latency");
  EXPECT_EQ(closest("rec", verbs), ""); // record, recover
  EXPECT_EQ(closest("magic", verbs), "");
  EXPECT_EQ(closest("", verbs), "");
  EXPECT_EQ(closest(std::string(100, 'x'), verbs), "");
}

TEST(Closest, IsAQuestion) {
  EXPECT_EQ(did_you_mean("raport", {"report"}), ", did you mean 'report'?");
  EXPECT_EQ(did_you_mean("magic", {"report"}), "");
}
