// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of `nophook view`: for any part of a recording, it has the calls that a reading of the
// whole recording has.

#include "synthetic.h"

#include "read/steps/merge.h"
#include "show/view/block_reader.h"
#include "show/view/hits.h"
#include "show/view/index_builder.h"
#include "show/view/rows.h"
#include "show/view/step_slice.h"
#include "show/view/view_selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <ranges>
#include <set>
#include <sys/file.h>
#include <tuple>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr size_t kWordsOfBlock = 300;

// Random calls of two threads, with calls that are left, a second stack, losses and a deep
// recursion.
void write_random(const std::string &path, unsigned seed, int blocks) {
  std::mt19937 random(seed);
  RecordingBuilder builder(path);
  for (uint32_t stream : {0, 1}) {
    std::vector<std::pair<uint32_t, uint64_t>> open; // function, place on the stack
    uint64_t time = 0, lost = 0;
    bool other_stack = false;
    for (int block = 0; block < blocks; block++) {
      time += random() % 3 ? 0 : 20000; // sometimes the thread does not run
      Words words;
      nophook_subbuf header = subbuf_header(100 + (int32_t)stream, (uint64_t)block, lost);
      header.time_base = kTimeBase + time;
      uint64_t begin = time;
      auto place_stack = [&] {
        words.control(NOPHOOK_CONTROL_STACK, 0).payload(kStackBase - (other_stack ? 1 << 30 : 0));
      };
      if (other_stack)
        place_stack();
      while (words.words.size() < kWordsOfBlock) {
        time += random() % 50;
        uint32_t what = random() % 100;
        if (what < 50 - std::min<size_t>(open.size(), 40) || open.empty()) {
          uint32_t function = random() % 9;
          uint64_t place = (open.empty() ? 0 : open.back().second) + 1 + random() % 3;
          open.push_back({function, place});
          words.entry(function, place, time - begin);
        } else if (what < 97) {
          words.exit(open.back().first, open.back().second, time - begin);
          open.pop_back();
        } else if (what == 97) {
          for (size_t i = random() % 3; i && !open.empty(); i--)
            open.pop_back(); // left by an exception
        } else if (what == 98) {
          words.control(NOPHOOK_CONTROL_CPU, random() % 4);
        } else if (open.empty()) {
          other_stack = !other_stack;
          place_stack();
        }
      }
      if (random() % 10 == 0) {
        lost += 5;
        open.clear();
      }
      ASSERT_TRUE(builder.add(stream, header, words));
    }
  }
  builder.finish();
}

using Key =
    std::tuple<uint32_t, uint16_t, uint64_t, uint64_t, uint32_t>; // stack, depth, start, ...

struct WholeCall {
  uint32_t stack;
  Slice slice;
};

Key key_of(uint32_t stack, const Slice &slice) {
  return {stack, slice.depth, slice.start, slice.duration, slice.function};
}

class ViewIndex : public ::testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    path_ = folder_ / "r";
    write_random(path_, GetParam(), 40);
    auto opened = Recording::open(path_);
    ASSERT_TRUE(opened.ok());
    recording_.emplace(std::move(*opened));
  }

  std::unique_ptr<RecordingIndex> make_index() {
    return std::make_unique<RecordingIndex>(
        *recording_, [](uint32_t process, uint32_t id) { return (uint64_t)process << 32 | id; });
  }

  std::unique_ptr<RecordingIndex> built(unsigned workers = 2) {
    auto index = make_index();
    auto builder = IndexBuilder::start(*index, path_ + ".index", workers);
    EXPECT_TRUE(builder.ok());
    EXPECT_TRUE((*builder)->wait().ok());
    return index;
  }

  // The calls from a reading of the whole stream, without an index.
  std::vector<WholeCall> whole(RecordingIndex &index, uint32_t stream) {
    nophook::Thread thread(*recording_, stream);
    std::vector<WholeCall> calls;
    Step step;
    while (thread.timeline().next(&step) || thread.timeline().next_open(&step))
      if (auto slice = slice_of(index, step, index.functions().number(0, step.id), 0))
        calls.push_back({step.stack, *slice});
    return calls;
  }

  Folder folder_;
  std::string path_;
  std::optional<Recording> recording_;
};

class IndexFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    write("r", "");
    recording_.reset(::open((folder_ / "r").c_str(), O_RDONLY));
  }
  int recording() const { return recording_.get(); }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder_ / ""))
      names.insert(entry.path().filename());
    return names;
  }

  Folder folder_;
  std::string index_ = folder_ / "r.index";
  FileDescriptor recording_;
};

TEST_F(IndexFileTest, AnUnfinishedIndexLeavesNothing) {
  auto file = IndexFile::create(index_, recording());
  ASSERT_TRUE(file.ok());
  (*file)->append(std::vector<uint8_t>(10));
  EXPECT_EQ(files(), std::set<std::string>{"r"}); // as a killed command leaves it
  ASSERT_TRUE((*file)->publish());
  EXPECT_EQ(files(), (std::set<std::string>{"r", "r.index"}));
}

TEST_F(IndexFileTest, WhatEarlierCommandsLeftIsRemoved) {
  write("r.index.abcD09", std::string(100, '\0'));
  write("r.index.empty0", "");
  write("r.index.backup", "\1" + std::string(100, '\0')); // it has a header
  write("r.index.longer1", "");
  write("r.index.under_", "");
  write("r.index.locked", "");
  FileDescriptor locked(::open((folder_ / "r.index.locked").c_str(), O_RDONLY));
  ASSERT_EQ(::flock(locked.get(), LOCK_EX), 0);
  ASSERT_TRUE(IndexFile::create(index_, recording()).ok());
  EXPECT_EQ(files(), (std::set<std::string>{"r", "r.index.backup", "r.index.longer1",
                                            "r.index.under_", "r.index.locked"}));
}

TEST_P(ViewIndex, DecodingMayBeginAtAnyBlock) {
  auto index = built();
  for (auto &stream : index->streams()) {
    std::vector<Key> all;
    for (const WholeCall &call : whole(*index, stream->stream))
      if (!(call.slice.flags & Slice::kNoBegin))
        all.push_back(key_of(call.stack, call.slice));
    size_t restarts = 0;
    for (size_t i = 0; i < stream->blocks.size(); i++) {
      restarts += stream->blocks[i].state_bytes > 0;
      BlockReader reader(*index, *stream, i, stream->blocks.size());
      std::vector<Key> some;
      Step step;
      while (reader.next(&step) || reader.next_open(&step))
        if (auto slice = slice_of(*index, step, index->functions().number(0, step.id), 0))
          if (!(slice->flags & Slice::kNoBegin))
            some.push_back(key_of(step.stack, *slice));
      ASSERT_LE(some.size(), all.size());
      EXPECT_TRUE(std::equal(some.rbegin(), some.rend(), all.rbegin())) << "from block " << i;
      if (i == 0)
        EXPECT_EQ(some.size(), all.size());
    }
    EXPECT_GT(restarts, stream->blocks.size() / 4);
  }
}

TEST_P(ViewIndex, EachLevelHasEachCallOnce) {
  auto index = built();
  for (auto &stream : index->streams()) {
    auto all = whole(*index, stream->stream);
    for (auto &track : stream->tracks) {
      std::map<uint16_t, uint64_t> wanted;
      for (const WholeCall &call : all)
        if (call.stack == track->stack)
          wanted[call.slice.depth]++;
      ASSERT_FALSE(track->levels.all().empty());
      for (const Level &level : track->levels.all()) {
        std::map<uint16_t, uint64_t> got;
        for (const SlicePage &page : level.pages) {
          std::vector<Slice> slices;
          ASSERT_TRUE(index->read(page, &slices));
          for (const Slice &slice : slices) {
            got[slice.depth] += slice.calls;
            EXPECT_GE(slice.start, page.first_start);
            EXPECT_LE(slice.end(), page.last_end);
            if (slice.is_one())
              EXPECT_EQ(slice.calls, 1u);
          }
        }
        EXPECT_EQ(got, wanted) << "resolution " << level.resolution;
      }
    }
  }
}

TEST_P(ViewIndex, RowsAreTheCallsOfTheirTime) {
  auto index = built();
  Tracks tracks(*index);
  const size_t count = tracks.update();
  ASSERT_GE(count, 2u);
  std::mt19937 random(GetParam());
  size_t compared = 0;
  for (int round = 0; round < 40; round++) {
    Tracks::Place place = *tracks.at(random() % count);
    const uint32_t stack = place.stream->tracks[place.track]->stack;
    RowsQuery query;
    query.from = random() % index->duration();
    query.to = query.from + 1 + random() % 3000;
    std::set<Key> wanted, got;
    for (const WholeCall &call : whole(*index, place.stream->stream))
      if (call.stack == stack && !(call.slice.flags & Slice::kNoBegin) &&
          call.slice.start < query.to && call.slice.end() >= query.from)
        wanted.insert(key_of(stack, call.slice));
    size_t blocks = kMostBlocksForRows;
    for (const Slice &slice : slices_of(*index, place, query, &blocks)) {
      ASSERT_TRUE(slice.is_one());
      if (slice.flags & Slice::kEndNotRead) { // goes on at least up to the end of the question
        EXPECT_GE(slice.end(), query.to);
        std::erase_if(wanted, [&](const Key &key) {
          return std::get<1>(key) == slice.depth && std::get<2>(key) == slice.start &&
                 std::get<4>(key) == slice.function;
        });
      } else if (!(slice.flags & Slice::kNoBegin)) {
        got.insert(key_of(stack, slice));
      }
    }
    EXPECT_EQ(got, wanted);
    compared += wanted.size();
  }
  EXPECT_GT(compared, 100u);
}

TEST_P(ViewIndex, ASelectionAddsUp) {
  auto index = built();
  Tracks tracks(*index);
  SelectionQuery query;
  query.to = index->duration();
  for (size_t i = 0, count = tracks.update(); i < count; i++)
    query.tracks.push_back(*tracks.at(i));
  SelectionAnswer answer = select_calls(*index, query);
  EXPECT_EQ(answer.covered, 1);
  std::map<uint32_t, uint64_t> wanted, got;
  uint64_t slowest = 0;
  for (auto &stream : index->streams())
    for (const WholeCall &call : whole(*index, stream->stream))
      if (!(call.slice.flags & Slice::kOpenAtEnd)) {
        wanted[call.slice.function]++;
        if (!(call.slice.flags & Slice::kNoBegin))
          slowest = std::max(slowest, call.slice.duration);
      }
  uint64_t own = 0, roots = 0;
  for (const auto &[function, sums] : answer.functions)
    if (sums.calls)
      got[function] = sums.calls;
  for (const SelectedNode &node : answer.nodes) {
    own += node.own;
    roots += node.parent < 0 ? node.total : 0;
  }
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(own, roots);
  ASSERT_FALSE(answer.slowest.empty());
  EXPECT_EQ(answer.slowest.front().slice.duration, slowest);
}

TEST_P(ViewIndex, IsReadAgain) {
  auto first = built(1);
  auto second = make_index();
  ASSERT_TRUE(second->load(path_ + ".index"));
  ASSERT_EQ(second->streams().size(), first->streams().size());
  EXPECT_EQ(second->duration(), first->duration());
  for (size_t i = 0; i < first->streams().size(); i++) {
    const IndexedStream &a = *first->streams()[i], &b = *second->streams()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.blocks.size(), b.blocks.size());
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (size_t t = 0; t < a.tracks.size(); t++) {
      EXPECT_EQ(a.tracks[t]->calls, b.tracks[t]->calls);
      EXPECT_EQ(a.tracks[t]->levels.all().size(), b.tracks[t]->levels.all().size());
    }
    EXPECT_EQ(a.notes.size(), b.notes.size());
  }
  EXPECT_EQ(first->sums(3).calls, second->sums(3).calls);
}

TEST_P(ViewIndex, FromHitToHitIsEachCallOnce) {
  auto index = built();
  Tracks tracks(*index);
  HitQuery query;
  for (uint32_t i = 0, count = (uint32_t)tracks.update(); i < count; i++)
    query.threads.push_back(i);
  for (std::vector<uint32_t> functions : {std::vector<uint32_t>{3}, {0, 7}, {5, 1000}}) {
    query.functions = functions;
    std::set<Hit> wanted;
    for (uint32_t number : query.threads) {
      Tracks::Place place = *tracks.at(number);
      for (const WholeCall &call : whole(*index, place.stream->stream))
        if (call.stack == place.stream->tracks[place.track]->stack &&
            !(call.slice.flags & Slice::kNoBegin) &&
            std::ranges::count(functions, call.slice.function))
          wanted.insert({call.slice.start, number, call.slice.depth});
    }
    ASSERT_GT(wanted.size(), 20u);
    std::vector<Hit> forth, back;
    for (Hit from; auto hit = next_hit(*index, tracks, query, from, true);) {
      forth.push_back(*hit);
      from = {hit->at, hit->thread, hit->depth + 1};
      ASSERT_LE(forth.size(), wanted.size());
    }
    for (Hit from = {.at = UINT64_MAX}; auto hit = next_hit(*index, tracks, query, from, false);) {
      back.push_back(from = *hit);
      ASSERT_LE(back.size(), wanted.size());
    }
    EXPECT_EQ(forth, std::vector<Hit>(wanted.begin(), wanted.end()));
    EXPECT_TRUE(std::ranges::equal(back, wanted | std::views::reverse));
    uint64_t marked = 0;
    for (const HitSpan &span : hit_spans(*index, tracks, query, 0, index->duration() + 1, 50)) {
      ASSERT_GT(span.calls, 0u);
      marked += span.calls;
    }
    EXPECT_GE(marked, wanted.size()); // two calls at one place are one hit
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ViewIndex, ::testing::Values(1u, 2u, 3u, 4u));

class DamagedIndex : public ViewIndex {};

// A change of any byte of the header, and of some in the tables; a damaged page is detected when it
// is read.
TEST_P(DamagedIndex, IsNotUsed) {
  {
    auto index = built();
  }
  const std::string good = read_file(path_ + ".index");
  auto loads = [&](const std::string &bytes) {
    write_file(path_ + ".index", bytes);
    return make_index()->load(path_ + ".index");
  };
  ASSERT_TRUE(loads(good));
  for (size_t at = 0; at < kIndexHeaderBytes; at++) {
    std::string bad = good;
    bad[at] = (char)(bad[at] ^ 0x10);
    EXPECT_FALSE(loads(bad)) << "byte " << at;
  }
  for (size_t cut : {size_t{0}, size_t{10}, good.size() / 2, good.size() - 1})
    EXPECT_FALSE(loads(good.substr(0, cut))) << "cut at " << cut;
  std::string bad = good;
  bad[bad.size() - 9] = (char)(bad[bad.size() - 9] ^ 1);
  EXPECT_FALSE(loads(bad));

  auto index = make_index();
  write_file(path_ + ".index", good);
  ASSERT_TRUE(index->load(path_ + ".index"));
  const SlicePage page = index->streams()[0]->tracks[0]->levels.all().back().pages.at(0);
  bad = good;
  bad[page.offset + 5] = (char)(bad[page.offset + 5] ^ 1);
  write_file(path_ + ".index", bad);
  index = make_index();
  ASSERT_TRUE(index->load(path_ + ".index"));
  std::vector<Slice> slices;
  EXPECT_FALSE(index->read(page, &slices));
  EXPECT_TRUE(index->damaged());

  // A state or a set: decoding begins at an earlier block, and the rows are the same.
  const IndexedStream &stream = *index->streams()[0];
  size_t number = stream.blocks.size() - 1;
  while (number && !stream.blocks[number].state_bytes)
    number--;
  ASSERT_GT(number, 1u);
  const IndexedBlock &block = stream.blocks[number];
  auto decoded = [&](RecordingIndex &from) {
    std::set<Key> calls;
    BlockReader reader(from, *from.streams()[0], number, number + 1);
    for (Step step; reader.next(&step);)
      if (auto slice = slice_of(from, step, 0, 0); slice && slice->end() > block.first)
        calls.insert(key_of(step.stack, *slice));
    return calls;
  };
  write_file(path_ + ".index", good);
  index = make_index();
  ASSERT_TRUE(index->load(path_ + ".index"));
  auto wanted = decoded(*index);
  ASSERT_GT(wanted.size(), 10u);
  bad = good;
  bad[block.offset + 3] = (char)(bad[block.offset + 3] ^ 1);
  write_file(path_ + ".index", bad);
  auto other = make_index();
  ASSERT_TRUE(other->load(path_ + ".index"));
  EXPECT_EQ(decoded(*other), wanted);
  EXPECT_TRUE(other->damaged());
}

TEST_P(DamagedIndex, OfAnotherRecordingIsNotUsed) {
  {
    auto index = built();
  }
  write_random(path_, GetParam() + 1, 40);
  recording_.emplace(std::move(*Recording::open(path_)));
  EXPECT_FALSE(make_index()->load(path_ + ".index"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, DamagedIndex, ::testing::Values(9u));

TEST(Levels, AreNotLargerThanTheyMayBe) {
  Levels levels(1'000'000'000'000);
  std::mt19937 random(5);
  uint64_t time = 0, calls = 2'000'000, pages = 0;
  for (uint64_t i = 0; i < calls; i++) {
    Slice slice;
    slice.start = time += random() % 200000;
    slice.duration = random() % 150000;
    slice.depth = (uint16_t)(random() % 4);
    levels.add(slice);
  }
  levels.finish([&](std::span<const Slice> slices) {
    pages++;
    SlicePage page;
    page.slices = (uint32_t)slices.size();
    return page;
  });
  uint64_t slices = 0;
  for (const Level &level : levels.all())
    for (const SlicePage &page : level.pages)
      slices += page.slices;
  EXPECT_LE(slices, 2 * (calls / Levels::kCallsPerSlice + Levels::kFreeSlices));
  EXPECT_GT(levels.all().front().resolution, Levels::kFinest);
  EXPECT_GT(pages, 0u);
}

TEST(Levels, MergedCallsHaveTheNameOfTheLongest) {
  std::vector<Slice> merged = merge_to_columns({{.start = 0, .duration = 10, .function = 1},
                                                {.start = 10, .duration = 30, .function = 2},
                                                {.start = 50, .duration = 20, .function = 3},
                                                {.start = 100, .duration = 500, .function = 4}},
                                               100);
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].calls, 3u);
  EXPECT_EQ(merged[0].function, 2u);
  EXPECT_EQ(merged[0].duration, 70u);
  EXPECT_FALSE(merged[0].is_one());
  EXPECT_NEAR(merged[0].busy, 60 * 255 / 70, 4);
  EXPECT_TRUE(merged[1].is_one());
  EXPECT_EQ(merged[1].function, 4u);
}

TEST(IndexSets, AreReadAsTheyWereWritten) {
  for (std::vector<uint32_t> set : {std::vector<uint32_t>{},
                                    {0},
                                    {1, 2, 127, 128, 129, 300000},
                                    {0, 4'000'000'000, 4'294'967'295}})
    EXPECT_EQ(decode_set(encode_set(set)), set);
}

} // namespace
