// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages in the form of the kernel's ring buffer, made of recordings made by hand. One tick is 0.5
// ns.

#include "synthetic.h"

#include "show/live/kernel_pages.h"

#include <nophook/kernel_events.h>

#include <gtest/gtest.h>

#include <cstring>

using namespace nophook;
using namespace nophook::test;

namespace {

template <class T> T read_at(const std::string &page, size_t offset) {
  T value;
  std::memcpy(&value, page.data() + offset, sizeof value);
  return value;
}

struct Record {
  uint16_t type;
  uint64_t ns; // since the page's time
  bool operator==(const Record &) const = default;
};

constexpr uint64_t kUsed = (1 << 27) - 1; // bits of a page's `commit`

std::vector<Record> records_of(const std::string &page) {
  std::vector<Record> records;
  uint64_t ns = 0, end = sizeof(KernelPage) + (read_at<uint64_t>(page, 8) & kUsed);
  for (size_t at = sizeof(KernelPage); at < end;) {
    uint32_t word = read_at<uint32_t>(page, at), length = word & 31;
    ns += word >> 5;
    at += 4;
    if (length == kKernelTimeExtend) {
      ns += uint64_t{read_at<uint32_t>(page, at)} << kKernelDeltaBits;
      at += 4;
      continue;
    }
    uint32_t bytes = 4 * length;
    if (length == 0) {
      bytes = read_at<uint32_t>(page, at) - 4;
      at += 4;
    }
    records.push_back({read_at<uint16_t>(page, at), ns});
    at += bytes;
  }
  return records;
}

class KernelPagesTest : public testing::Test {
protected:
  void add_all() {
    auto recording = Recording::open(folder / "r");
    Functions functions(*recording);
    Merge merge(*recording);
    Thread *thread;
    Step step;
    while (merge.next(&thread, &step))
      pages.add(functions, recording->clock(), *thread, step);
    pages.flush();
  }

  // Adds an entry, and its exit `ticks` ticks later.
  void add_pause(uint64_t ticks) {
    RecordingBuilder builder(folder / "r");
    nophook_subbuf later = subbuf_header(100, 1);
    later.time_base += ticks;
    builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0));
    builder.add(0, later, Words().exit(1, 10, 0));
    builder.finish();
    add_all();
  }

  Folder folder;
  KernelPages pages;
};

// A call that begins and ends between two events of another thread is two records around them.
TEST_F(KernelPagesTest, EntriesAndExitsOfAllThreadsAreInTheOrderOfTime) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100), Words().entry(1, 10, 0).exit(1, 10, 1000));
  builder.add(1, subbuf_header(101), Words().entry(2, 20, 400).exit(2, 20, 600));
  builder.finish();
  add_all();
  EXPECT_EQ(records_of(pages.take(0, true)), (std::vector<Record>{{kKernelGraphEntry, 0},
                                                                  {kKernelGraphEntry, 200},
                                                                  {kKernelGraphExit, 300},
                                                                  {kKernelGraphExit, 500}}));
  EXPECT_EQ(pages.take(0, true), "");
}

TEST_F(KernelPagesTest, APageBehindALossSaysHowManyEventsItWas) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0).exit(1, 10, 10));
  builder.add(0, subbuf_header(100, 1, 33), Words().entry(2, 10, 20).exit(2, 10, 30));
  builder.finish();
  add_all();
  std::string before = pages.take(0, false), after = pages.take(0, true);
  EXPECT_EQ(read_at<uint64_t>(before, 8) & ~kUsed, 0u);
  EXPECT_EQ(records_of(before).size(), 2u);
  uint64_t commit = read_at<uint64_t>(after, 8);
  EXPECT_EQ(commit & ~kUsed, KernelPage::kMissed | KernelPage::kMissedStored);
  EXPECT_EQ(records_of(after).size(), 2u);
  EXPECT_EQ(read_at<uint64_t>(after, sizeof(KernelPage) + (commit & kUsed)), 33u);
  EXPECT_EQ(after.size(), kKernelPageBytes);
}

TEST_F(KernelPagesTest, FullPagesHaveRoomForTheNumberOfTheLost) {
  RecordingBuilder builder(folder / "r");
  Words words;
  for (uint64_t i = 0; i < 1000; i++)
    words.entry(1, 10, 4 * i).exit(1, 10, 4 * i + 2);
  builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0).exit(1, 10, 1));
  builder.add(0, subbuf_header(100, 1, 5), words);
  builder.finish();
  add_all();
  size_t records = 0;
  for (std::string page; !(page = pages.take(0, true)).empty(); records += records_of(page).size())
    EXPECT_EQ(page.size(), kKernelPageBytes);
  EXPECT_EQ(records, 2002u);
}

TEST_F(KernelPagesTest, ALongPauseIsATimeExtension) {
  constexpr uint64_t kPause = uint64_t{1} << 33; // ticks
  add_pause(kPause);
  EXPECT_EQ(records_of(pages.take(0, true)),
            (std::vector<Record>{{kKernelGraphEntry, 0}, {kKernelGraphExit, kPause / 2}}));
}

// A pause of this length is in a damaged recording only.
TEST_F(KernelPagesTest, APauseThatNoExtensionCanTellBeginsAPage) {
  constexpr uint64_t kPause = uint64_t{1} << 61; // ticks
  add_pause(kPause);
  std::string first = pages.take(0, true), second = pages.take(0, true);
  EXPECT_EQ(records_of(first), (std::vector<Record>{{kKernelGraphEntry, 0}}));
  EXPECT_EQ(records_of(second), (std::vector<Record>{{kKernelGraphExit, 0}}));
  EXPECT_EQ(read_at<uint64_t>(second, 0) - read_at<uint64_t>(first, 0), kPause / 2);
}

TEST_F(KernelPagesTest, ACpuThatNoMachineHasIsTheFirst) {
  RecordingBuilder builder(folder / "r");
  nophook_subbuf header = subbuf_header(100, 0);
  header.cpu = 1 << 30;
  builder.add(0, header, Words().entry(1, 10, 0).exit(1, 10, 2));
  builder.finish();
  add_all();
  EXPECT_EQ(pages.cpus(), 1u);
  EXPECT_EQ(records_of(pages.take(0, true)).size(), 2u);
}

// A mark may name a function by a number of any size.
TEST_F(KernelPagesTest, AFunctionBeyondAllHasItsNumberAsName) {
  RecordingBuilder builder(folder / "r");
  builder.add(0, subbuf_header(100, 0), Words().entry(1, 10, 0).exit(1, 10, 2));
  builder.finish();
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  EXPECT_EQ(functions.name(0, UINT32_MAX), "function#4294967295");
}

} // namespace
