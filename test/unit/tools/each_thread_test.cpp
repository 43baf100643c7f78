// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that are decoded at the same time: the result is the same as with one worker.

#include "synthetic.h"

#include "read/steps/each_thread.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uint32_t kThreads = 40;

// Thread i has i + 1 sub-buffers, each with two calls, and a word that makes no sense.
void write_threads(const std::string &path) {
  RecordingBuilder builder(path);
  for (uint32_t stream = 0; stream < kThreads; stream++)
    for (uint64_t seq = 0; seq <= stream; seq++)
      ASSERT_TRUE(builder.add(stream, subbuf_header(100 + (int32_t)stream, seq),
                              Words()
                                  .payload(1)
                                  .entry(stream % 10, 1, seq * 100)
                                  .entry(9, 2, seq * 100 + 1)
                                  .exit(9, 2, seq * 100 + 2)
                                  .exit(stream % 10, 1, seq * 100 + 5 + stream)));
  builder.finish();
}

// The results of a run: each thread's steps and ticks.
struct Seen {
  std::map<uint32_t, std::vector<uint64_t>> threads;
  std::set<unsigned> workers;
  uint64_t skipped = 0;
  std::string damage;
  bool operator==(const Seen &other) const {
    return threads == other.threads && skipped == other.skipped && damage == other.damage;
  }
};

Seen read_by(unsigned workers, const std::string &path, const WantedThread &wanted = nullptr) {
  auto recording = Recording::open(path);
  EXPECT_TRUE(recording.ok());
  Seen seen;
  std::mutex lock;
  const Skipped all =
      each_thread(*recording, workers, wanted, [&](Thread &thread, unsigned worker) {
        std::vector<uint64_t> numbers;
        for (Step step; thread.timeline().next(&step);)
          numbers.insert(numbers.end(), {step.shape, step.id, step.tsc, step.ticks});
        std::lock_guard held(lock);
        EXPECT_TRUE(seen.threads.emplace(thread.stream(), numbers).second) << "a thread came twice";
        seen.workers.insert(worker);
      });
  seen.skipped = all.damaged;
  seen.damage = recording->damage();
  return seen;
}

TEST(EachThread, SeveralWorkersSeeWhatOneSees) {
  Folder folder;
  write_threads(folder / "r");
  Seen one = read_by(1, folder / "r");
  ASSERT_EQ(one.threads.size(), kThreads);
  EXPECT_EQ(one.workers, std::set<unsigned>{0});
  EXPECT_EQ(one.threads.at(2).size(), 3u * 3 * 4); // an open, a leaf and a close in each sub-buffer
  EXPECT_EQ(one.skipped, kThreads * (kThreads + 1) / 2);
  for (unsigned workers : {2u, 3u, 8u, 100u}) {
    Seen seen = read_by(workers, folder / "r");
    EXPECT_EQ(seen, one) << workers << " workers";
    EXPECT_LT(*seen.workers.rbegin(), workers);
  }
}

TEST(EachThread, TheFirstDamageIsTheSameWhoeverFindsIt) {
  Folder folder;
  write_threads(folder / "r");
  std::string bytes = read_file(folder / "r");
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  for (uint32_t stream : {39, 7, 20}) // one of them is read first
    bytes[recording->streams().at(stream).subbufs[3].chunk + sizeof(ChunkHeader) + 80] ^= 1;
  write_file(folder / "r", bytes);
  Seen one = read_by(1, folder / "r");
  EXPECT_EQ(one.damage, "a sub-buffer with a wrong checksum is skipped (at byte " +
                            std::to_string(recording->streams().at(7).subbufs[3].chunk) +
                            ") (and 2 more)");
  for (int round = 0; round < 20; round++)
    ASSERT_EQ(read_by(4, folder / "r"), one);
}

TEST(EachThread, UnwantedThreadsAreNotVisited) {
  Folder folder;
  write_threads(folder / "r");
  Seen seen = read_by(4, folder / "r", [](const Thread &thread) { return thread.tid() == 105; });
  ASSERT_EQ(seen.threads.size(), 1u);
  EXPECT_EQ(seen.threads.begin()->first, 5u);
  EXPECT_EQ(seen.skipped, 6u);
}

TEST(EachThread, AnExceptionOfAVisitorComesOut) {
  Folder folder;
  write_threads(folder / "r");
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  for (unsigned workers : {1u, 4u})
    EXPECT_THROW(each_thread(*recording, workers, nullptr,
                             [](Thread &thread, unsigned) {
                               if (thread.stream() == 11)
                                 throw std::bad_alloc();
                             }),
                 std::bad_alloc);
}

TEST(EachThread, ASmallRecordingTakesOneWorker) {
  Folder folder;
  write_threads(folder / "r");
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(decoding_workers(*recording), 1u);
}

} // namespace
