// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of `nophook latency` for events that are made by hand: the cost of tracing, the rows
// of its histogram, and calls that go on behind the end of the time.

#include "synthetic.h"

#include "read/analyse/interval_tree.h"
#include "read/analyse/tracing_cost.h"
#include "read/recording/reader.h"
#include "show/print/latency_text.h"

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

const TscClock kNanoseconds = {0, 0, 1};

uint64_t cost_of(const std::vector<uint64_t> &begins) {
  TracingCost cost;
  cost.begin_thread();
  for (uint64_t begin : begins) {
    Step step;
    step.shape = Step::kInterval;
    step.tsc = begin;
    cost.step(step);
  }
  return cost.call_ns(kNanoseconds);
}

std::vector<uint64_t> begins_of(const std::vector<uint64_t> &gaps) {
  std::vector<uint64_t> begins = {1000};
  for (uint64_t gap : gaps)
    begins.push_back(begins.back() + gap);
  return begins;
}

} // namespace

TEST(TracingCost, IsThatOfTheSmallestCalls) {
  std::vector<uint64_t> gaps(100, 40); // tiny functions
  gaps.insert(gaps.end(), 1000, 5000); // and functions that work
  EXPECT_EQ(cost_of(begins_of(gaps)), 40u);
}

TEST(TracingCost, OneLuckyTimeIsNotIt) {
  std::vector<uint64_t> gaps(100, 50);
  gaps.push_back(25);
  EXPECT_EQ(cost_of(begins_of(gaps)), 50u);
}

TEST(TracingCost, WorkIsNotTakenForIt) {
  EXPECT_EQ(cost_of(begins_of(std::vector<uint64_t>(100, 100'000))), 250u);
}

TEST(TracingCost, IsUnknownFromFewCalls) {
  EXPECT_EQ(cost_of(begins_of(std::vector<uint64_t>(15, 40))), 0u);
  EXPECT_EQ(cost_of(begins_of(std::vector<uint64_t>(16, 40))), 40u);
}

TEST(TracingCost, SlowdownIsTheWholeByTheRest) {
  EXPECT_EQ(slowdown(1000, 0), 1);
  EXPECT_EQ(slowdown(1000, 500), 2);
  EXPECT_EQ(slowdown(1000, 900), 10);
  EXPECT_EQ(slowdown(1000, 1000), 1000);
  EXPECT_EQ(slowdown(1000, 2000), 1000);
}

TEST(DurationRows, HaveOneTwoFive) {
  DurationRows rows;
  for (uint64_t ns : {0, 1, 2, 4, 5, 9, 10, 99})
    rows.add(ns);
  std::vector<std::tuple<uint64_t, uint64_t, uint64_t>> is;
  for (const auto &row : rows.rows())
    is.push_back({row.from_ns, row.to_ns, row.count});
  const decltype(is) must = {{0, 1, 1},   {1, 2, 1},   {2, 5, 2},   {5, 10, 2},
                             {10, 20, 1}, {20, 50, 0}, {50, 100, 1}};
  EXPECT_EQ(is, must);
}

TEST(DurationRows, HaveEveryDuration) {
  DurationRows rows;
  rows.add(~uint64_t{0});
  ASSERT_EQ(rows.rows().size(), 1u);
  EXPECT_EQ(rows.rows()[0].count, 1u);
}

// f1 calls f2 and f3; the time ends in the middle of f3.
TEST(IntervalTree, OfOpenCallsThePartCounts) {
  Folder folder;
  {
    RecordingBuilder builder(folder / "r");
    builder.add(0, subbuf_header(),
                Words()
                    .entry(9, 5, 0)
                    .entry(1, 10, 100)
                    .entry(2, 20, 1000)
                    .exit(2, 20, 2000)
                    .entry(3, 20, 3000)
                    .entry(4, 30, 3100)
                    .exit(4, 30, 6000)
                    .exit(3, 20, 7000)
                    .exit(1, 10, 9000)
                    .exit(9, 5, 9500));
    builder.finish();
  }
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  const IntervalSummary summary =
      summarize(*recording, functions, {kTimeBase + 100, kTimeBase + 5000, 0});
  EXPECT_EQ(summary.calls, 4u);
  ASSERT_EQ(summary.graph.below.size(), 1u); // not the call around it
  EXPECT_EQ(summary.graph.below[0].name, "function#1");
  EXPECT_EQ(summary.graph.below[0].total_ticks, 4900u);
  EXPECT_EQ(summary.graph.below[0].self_ticks, 1900u);
  std::map<std::string, std::pair<uint64_t, uint64_t>> times;
  for (const FunctionCost &cost : summary.functions)
    times[functions.name_of_key(cost.key)] = {cost.self_ticks, cost.total_ticks};
  const decltype(times) must = {{"function#1", {1900, 4900}},
                                {"function#2", {1000, 1000}},
                                {"function#3", {100, 2000}},
                                {"function#4", {1900, 1900}}};
  EXPECT_EQ(times, must);
}

TEST(LatencyText, SaysWhatTracingAdded) {
  LatencySummary summary;
  summary.shown.interval = {0, 1'000'000, 0};
  summary.ticks = 1'000'000;
  summary.durations.add(1'000'000);
  summary.rows.add(1'000'000);
  Folder folder;
  {
    RecordingBuilder(folder / "r").finish();
  }
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  auto text = [&](uint64_t calls, uint64_t tracing_ns) {
    summary.tracing_ns = tracing_ns;
    IntervalSummary interval;
    interval.calls = calls;
    Output output(Output::kMemory);
    print_latency_summary(output, summary, interval, functions, kNanoseconds, 10, 0,
                          TimeUnit::kAuto);
    return output.take();
  };
  EXPECT_EQ(text(4'000, 100).find("Tracing"), std::string::npos);
  EXPECT_EQ(text(9'500, 0).find("Tracing"), std::string::npos);
  EXPECT_NE(text(7'500, 100)
                .find("# Tracing made this time about 4 times slower: 7500 traced "
                      "calls in it, about 0.100 us each."),
            std::string::npos)
      << text(7'500, 100);
  EXPECT_NE(text(9'500, 100).find("# Tracing made this time more than 10 times slower"),
            std::string::npos);
}
