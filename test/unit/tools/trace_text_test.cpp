// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of `report`, column by column, on recordings made by hand. One tick is 0.5 ns.

#include "synthetic.h"

#include "show/print/cost_table.h"
#include "show/print/trace_text.h"

#include <gtest/gtest.h>

#include <fcntl.h>

using namespace nophook;
using namespace nophook::test;

namespace {

class TraceTextTest : public testing::Test {
protected:
  // The text that `print` writes, without the header's comment lines.
  template <class Print> std::string captured(Print print) {
    int fd = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    {
      Output output(fd);
      print(output);
    }
    ::close(fd);
    return read_file(folder / "out");
  }

  std::string text(const TraceOptions &options = {}) {
    auto recording = Recording::open(folder / "r");
    Functions functions(*recording);
    return captured([&](Output &output) {
      Merge merge(*recording);
      TraceText trace(output, functions, *recording, options);
      Thread *thread;
      Step step;
      while (merge.next(&thread, &step))
        trace.step(*thread, step);
    });
  }

  Folder folder;
};

TEST_F(TraceTextTest, GraphLines) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(),
              Words()
                  .entry(1, 10, 0)
                  .entry(2, 20, 1000)
                  .exit(2, 20, 2360)
                  .entry_only(3, 20, 3000)
                  .exit(1, 10, 30'000)
                  .exit(4, 5, 31'000));
  builder.finish();
  EXPECT_EQ(text(), " 0)               |  function#1() {\n"
                    " 0)   0.680 us    |    function#2();\n"
                    " 0)               |    function#3();\n"
                    " 0) + 15.000 us   |  }\n"
                    " 0)               |  } /* function#4 */\n");
}

TEST_F(TraceTextTest, ADeepRecursionHasAnIndentationThatEnds) {
  RecordingBuilder builder(folder / "r");
  Words words;
  constexpr uint64_t kLevels = 4000; // a sub-buffer's frames are below 2^12
  for (uint64_t level = 0; level < kLevels; level++)
    words.entry(1, 10 + level, level);
  builder.add(0, subbuf_header(), words);
  builder.finish();
  const std::string got = text(), line = "function#1() {\n", columns = " 0)               |  ";
  EXPECT_TRUE(got.starts_with(columns + line + columns + "  " + line));
  EXPECT_TRUE(got.ends_with("\n" + columns + std::string(200, ' ') + line));
  EXPECT_LT(got.size(), kLevels * (columns.size() + 200 + line.size()));
}

TEST_F(TraceTextTest, ACallThatDidNotReturnHasItsNameAtTheEnd) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(),
              Words().entry(1, 10, 0).entry(2, 20, 10).entry(3, 30, 20).exit(1, 10, 30));
  builder.finish();
  EXPECT_EQ(text(), " 0)               |  function#1() {\n"
                    " 0)               |    function#2() {\n"
                    " 0)   0.005 us    |      function#3(); /* left */\n"
                    " 0)   0.010 us    |    } /* function#2 left */\n"
                    " 0)   0.015 us    |  }\n");
}

// The exits of 2 and 3 may be among the lost events; 4 is left without a doubt.
TEST_F(TraceTextTest, WhatEndsAfterALossMayHaveReturned) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(), Words().entry(1, 10, 0).entry(2, 20, 10).entry(3, 30, 20));
  builder.add(0, subbuf_header(100, 1, 7), Words().entry(4, 40, 30).exit(1, 10, 40));
  builder.finish();
  EXPECT_EQ(text(), " 0)               |  function#1() {\n"
                    " 0)               |    function#2() {\n"
                    " 0)               |      function#3() {\n"
                    "CPU:0 [LOST 7 EVENTS]\n"
                    " 0)   0.005 us    |        function#4(); /* left */\n"
                    " 0)   0.010 us    |      } /* function#3 */\n"
                    " 0)   0.015 us    |    } /* function#2 */\n"
                    " 0)   0.020 us    |  }\n");
}

TEST_F(TraceTextTest, ARuleWhereAnotherThreadTakesTheCpu) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100), Words().entry(1, 10, 0).exit(1, 10, 10));
  nophook_subbuf other = subbuf_header(2345);
  std::strcpy(other.comm, "a-long-name");
  builder.add(1, other,
              Words()
                  .entry(2, 10, 100)
                  .exit(2, 10, 110)
                  .control(NOPHOOK_CONTROL_CPU, 1)
                  .entry(3, 10, 200)
                  .exit(3, 10, 210));
  builder.finish();
  EXPECT_EQ(text(), " 0)   0.005 us    |  function#1();\n"
                    " ------------------------------------------\n"
                    " 0)   thread-100   =>  a-long--2345 \n"
                    " ------------------------------------------\n"
                    "\n"
                    " 0)   0.005 us    |  function#2();\n"
                    " 1)   0.005 us    |  function#3();\n");
}

TEST_F(TraceTextTest, FunctionLines) {
  RecordingBuilder builder(folder / "r", "function");
  nophook_subbuf header = subbuf_header(100);
  header.time_base = kTimeBase + 2'000'000'000ull * 12; // 12 s
  builder.add(0, header, Words().function(1, 0x1234, 3000));
  builder.finish();
  EXPECT_EQ(text(), "          thread-100     [000] .....    12.000001: function#1 <-0x1234\n");
}

// Values behind a call may have a later format: then only these are left out.
TEST_F(TraceTextTest, ValuesOfAnUnknownFormatAreLeftOut) {
  constexpr uint64_t kRdi = NOPHOOK_VALUE_GENERAL << NOPHOOK_VALUE_SHIFT | 5;
  auto values = [](uint64_t format) { return format | kRdi << 8 | 0x2a << 16; };
  RecordingBuilder builder(folder / "r", "function");
  builder.add(0, subbuf_header(100),
              Words()
                  .function(1, 0x1234, 3000)
                  .payload(values(NOPHOOK_VALUES_CALL))
                  .function(2, 0x1234, 5000)
                  .payload(values(NOPHOOK_VALUES_COUNTERS + 1))
                  .function(3, 0x1234, 7000)
                  .payload(values(NOPHOOK_VALUES_CALL)));
  builder.finish();
  EXPECT_EQ(text(),
            "          thread-100     [000] .....     0.000001: function#1(0x2a) <-0x1234\n"
            "          thread-100     [000] .....     0.000002: function#2() <-0x1234\n"
            "          thread-100     [000] .....     0.000003: function#3(0x2a) <-0x1234\n");
}

TEST_F(TraceTextTest, WhatTheThreadHasLostIsBehindItsReturns) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0).entry(2, 20, 10).exit(2, 20, 20));
  builder.add(0, subbuf_header(100, 1, 33), Words().entry(3, 20, 30).entry(4, 30, 40));
  builder.add(0, subbuf_header(100, 2, 42), Words().exit(3, 20, 50).exit(1, 10, 60));
  builder.add(1, subbuf_header(101, 0), Words().entry(5, 10, 70).entry(6, 20, 80).exit(5, 10, 90));
  builder.finish();
  TraceOptions options;
  options.overrun = true;
  EXPECT_EQ(text(options), " 0)               |  function#1() {\n"
                           " 0)   0.005 us    |    function#2();\n"
                           "CPU:0 [LOST 33 EVENTS]\n"
                           " 0)               |    function#3() {\n"
                           " 0)               |      function#4() {\n"
                           "CPU:0 [LOST 9 EVENTS]\n"
                           " 0)   0.005 us    |      } /* function#4 */\n"
                           " (Overruns: 42)\n"
                           " 0)   0.010 us    |    }\n"
                           " (Overruns: 42)\n"
                           " 0)   0.030 us    |  }\n"
                           " (Overruns: 42)\n"
                           " ------------------------------------------\n"
                           " 0)   thread-100   =>   thread-101  \n"
                           " ------------------------------------------\n"
                           "\n"
                           " 0)               |  function#5() {\n"
                           " 0)   0.005 us    |    function#6(); /* left */\n"
                           " 0)   0.010 us    |  }\n"
                           " (Overruns: 0)\n");
}

TEST_F(TraceTextTest, LostEventsStandWhereTheyAreMissing) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0).exit(1, 10, 10));
  builder.add(0, subbuf_header(100, 1, 33), Words().entry(2, 10, 20).exit(2, 10, 30));
  builder.finish();
  EXPECT_EQ(text(), " 0)   0.005 us    |  function#1();\n"
                    "CPU:0 [LOST 33 EVENTS]\n"
                    " 0)   0.005 us    |  function#2();\n");
}

// On two stacks the same function is open twice: no recursion.
TEST_F(TraceTextTest, TopCountsEachStack) {
  {
    RecordingBuilder builder(folder / "r");
    builder.add(0, subbuf_header(),
                Words()
                    .entry(1, 10, 0)
                    .control(NOPHOOK_CONTROL_STACK, 0)
                    .payload(0x5555'0000'0000)
                    .entry(1, 20, 1000)
                    .exit(1, 20, 3000)
                    .exit(1, 10, 4000));
    builder.finish();
  }
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  Skipped skipped;
  auto costs = read_costs(*recording, functions, nullptr, &skipped);
  ASSERT_EQ(costs.size(), 1u);
  EXPECT_EQ(costs[0].total_ticks, 6000u);
  EXPECT_EQ(costs[0].self_ticks, 6000u);
}

// fib-like: the inner calls of a recursion count for self and hits, not again for total.
TEST_F(TraceTextTest, TopCountsARecursionOnce) {
  {
    RecordingBuilder builder(folder / "r");
    builder.add(0, subbuf_header(),
                Words()
                    .entry(1, 10, 0)
                    .entry(1, 20, 1000)
                    .entry(1, 30, 1100)
                    .exit(1, 30, 1200)
                    .exit(1, 20, 2000)
                    .entry(2, 20, 3000)
                    .exit(2, 20, 3500)
                    .exit(1, 10, 4000));
    builder.finish();
  }
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  Skipped skipped;
  auto costs = read_costs(*recording, functions, nullptr, &skipped);
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_EQ(costs[0].hits, 3u);
  EXPECT_EQ(costs[0].total_ticks, 4000u);
  EXPECT_EQ(costs[0].self_ticks, 3500u);
  EXPECT_EQ(costs[1].self_ticks, 500u);
  CostTableOptions one_row;
  one_row.rows = 1;
  auto table = CostTable::of(*recording, one_row);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(
      captured([&](Output &output) { table->print(output, functions, recording->clock(), costs); }),
      "          Self  Self %         Total          Hits  Function\n"
      "      1.750 us   87.5%      2.000 us             3  function#1\n");
}

} // namespace
