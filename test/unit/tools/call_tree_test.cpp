// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of calls without room for all chains of callers: the sums, and the chains with the most
// time, are those of a tree with room.

#include "synthetic.h"

#include "read/analyse/call_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uint32_t kFunctions = 20, kMain = 30, kServe = 31, kSlow = 32;
constexpr int kChains = 3000, kSlowEach = 100; // each 100th is slow

// Calls of random chains, and now and then one with most of the time. All of them do not fit into
// one sub-buffer.
void write_calls(const std::string &path) {
  constexpr size_t kMostWords =
      (NOPHOOK_SUBBUF_BYTES - NOPHOOK_SUBBUF_HEADER_BYTES) / sizeof(uint64_t);
  constexpr size_t kChainWords = 12;
  std::mt19937 random(1);
  RecordingBuilder builder(path);
  Words words;
  uint64_t time = 0, sequence = 0;
  nophook_subbuf header = subbuf_header();
  words.entry(kMain, 10, time++);
  for (int chain = 0; chain < kChains; chain++) {
    if (words.words.size() + kChainWords + 1 > kMostWords) { // 1: the exit of main
      ASSERT_TRUE(builder.add(0, header, words));
      words = {};
      header = subbuf_header(header.tid, ++sequence);
      header.time_base += std::exchange(time, 0);
    }
    std::vector<uint32_t> calls;
    for (uint32_t levels = 1 + random() % 6; calls.size() < levels;)
      calls.push_back(random() % kFunctions);
    const bool is_slow = chain % kSlowEach == kSlowEach - 1;
    if (is_slow)
      calls = {kServe, kSlow};
    for (size_t i = 0; i < calls.size(); i++)
      words.entry(calls[i], 20 + 10 * i, time++);
    time += is_slow ? 10000 : 0;
    for (size_t i = calls.size(); i-- > 0;)
      words.exit(calls[i], 20 + 10 * i, time++);
  }
  words.exit(kMain, 10, time);
  ASSERT_TRUE(builder.add(0, header, words));
  builder.finish();
}

using Sums = std::map<uint64_t, std::pair<uint64_t, uint64_t>>; // calls, own time; by function

Sums sums_of(const CallTree &tree) {
  Sums sums;
  for (const CallTree::Node &node : tree.nodes()) {
    sums[node.key].first += node.hits;
    sums[node.key].second += node.self_ticks;
  }
  return sums;
}

class CallTreeTest : public testing::Test {
protected:
  void SetUp() override {
    write_calls(folder_ / "r");
    auto opened = Recording::open(folder_ / "r");
    ASSERT_TRUE(opened.ok());
    recording_.emplace(std::move(*opened));
    functions_.emplace(*recording_);
  }

  void read(CallTree *tree) {
    nophook::Thread thread(*recording_, 0);
    for (Step step; thread.timeline().next(&step);) {
      tree->step(thread, step);
      most_ = std::max(most_, tree->nodes().size());
    }
  }

  Folder folder_;
  std::optional<Recording> recording_;
  std::optional<Functions> functions_;
  size_t most_ = 0; // nodes at one time
};

TEST_F(CallTreeTest, APrunedTreeHasItsBoundTheSumsAndTheChainsOfMostTime) {
  constexpr size_t kMostNodes = 400;
  CallTree whole(*functions_), pruned(*functions_, kMostNodes);
  read(&whole);
  EXPECT_GT(whole.nodes().size(), 10 * kMostNodes);
  EXPECT_EQ(whole.shortened_calls(), 0u);
  EXPECT_EQ(whole.shortened_text(), "");
  most_ = 0;
  read(&pruned);
  EXPECT_LE(most_, kMostNodes + 1);
  EXPECT_GT(pruned.shortened_calls(), 0u);
  EXPECT_EQ(sums_of(pruned), sums_of(whole));

  // Callers come first, and all slow calls are in their old places.
  const std::vector<CallTree::Node> &nodes = pruned.nodes();
  uint64_t slow = 0;
  for (uint32_t i = 0; i < nodes.size(); i++) {
    EXPECT_TRUE(nodes[i].caller == CallTree::kNone || nodes[i].caller < i);
    if (pruned.name(nodes[i]) != fmt::format("function#{}", kSlow))
      continue;
    EXPECT_EQ(pruned.name(nodes[nodes[i].caller]), fmt::format("function#{}", kServe));
    slow += nodes[i].hits;
  }
  EXPECT_EQ(slow, uint64_t{kChains / kSlowEach});
}

TEST_F(CallTreeTest, MergedTreesKeepTheBound) {
  constexpr size_t kMostNodes = 400;
  CallTree whole(*functions_), first(*functions_, kMostNodes), second(*functions_, kMostNodes);
  read(&whole);
  read(&first);
  read(&second);
  first.merge(second);
  EXPECT_LE(first.nodes().size(), kMostNodes);
  Sums twice = sums_of(whole);
  for (auto &[key, sum] : twice)
    sum = {2 * sum.first, 2 * sum.second};
  EXPECT_EQ(sums_of(first), twice);
}

} // namespace
