// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder's half of the shared buffer, against a writer that this file imitates.

#include "synthetic.h"

#include "foundation/processor.h"
#include "process/drain/held_subbufs.h"
#include "process/drain/later_filters.h"
#include "process/drain/process_drain.h"
#include "read/recording/reader.h"
#include "read/steps/merge.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uint32_t kRings = 4, kSubbufs = 8;

int32_t own_tid() {
  return (int32_t)syscall(SYS_gettid);
}

int32_t tid_that_is_gone() {
  int32_t tid = 0;
  std::thread([&] { tid = own_tid(); }).join();
  while (syscall(SYS_tgkill, getpid(), tid, 0) == 0) // a join returns before the kernel is done
    usleep(100);
  return tid;
}

// A buffer file of this process, open twice: as its writer, here, and by the code under test.
class Writer {
public:
  explicit Writer(const Folder &folder) : path(folder / "1-1.buf") {
    nophook_buffer header = {};
    header.magic = NOPHOOK_BUFFER_MAGIC;
    header.version = NOPHOOK_BUFFER_VERSION;
    header.header_bytes = sizeof header;
    header.subbuf_bytes = NOPHOOK_SUBBUF_BYTES;
    header.subbuf_count = kSubbufs;
    header.ring_count = kRings;
    header.pid = getpid();
    struct stat about;
    header.pid_namespace = ::stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
    header.tracer = NOPHOOK_EVENT_ENTRY;
    header.rings_offset = 4096;
    header.states_offset = header.rings_offset + kRings * sizeof(nophook_ring);
    header.subbufs_offset = 8192;
    header.file_bytes = header.subbufs_offset + kSubbufs * NOPHOOK_SUBBUF_BYTES;
    std::string bytes(header.file_bytes, 0);
    std::memcpy(bytes.data(), &header, sizeof header);
    write_file(path, bytes);
    buffer.emplace(std::move(*SharedBuffer::open(path)));
    auto *at = reinterpret_cast<char *>(const_cast<nophook_buffer *>(&buffer->header()));
    rings = reinterpret_cast<nophook_ring *>(at + header.rings_offset);
    states = reinterpret_cast<uint32_t *>(at + header.states_offset);
  }

  void fill(uint32_t index, uint32_t ring, int32_t tid, const Words &words, uint32_t state) {
    nophook_subbuf header = subbuf_header(tid, rings[ring].subbufs++);
    header.ring = ring;
    header.used = state == NOPHOOK_SUBBUF_FULL ? (uint32_t)words.words.size() * 8 : 0;
    rings[ring].tid = tid;
    std::memcpy(buffer->subbuf(index), &header, sizeof header);
    std::memcpy(buffer->subbuf(index) + 1, words.words.data(), words.words.size() * 8);
    states[index] = state;
  }
  bool is_zero(uint32_t index) const {
    auto words =
        std::span(reinterpret_cast<uint64_t *>(buffer->subbuf(index)), NOPHOOK_SUBBUF_BYTES / 8);
    return std::ranges::all_of(words, [](uint64_t word) { return word == 0; });
  }

  std::string path;
  std::optional<SharedBuffer> buffer;
  nophook_ring *rings;
  uint32_t *states;
};

class Drain : public testing::Test {
protected:
  Recording recorded() {
    recording.finish("{}");
    return std::move(*Recording::open(folder / "r"));
  }

  Folder folder;
  Writer writer{folder};
  RecordingWriter recording = std::move(*RecordingWriter::create(folder / "r"));
  DrainTotals totals;
  ProcessDrain drain{std::move(*SharedBuffer::open(writer.path)), recording, totals};
  Words two = Words().entry(1, 1, 1).exit(1, 1, 2);
};

// System calls that this thread has made to read files; none where the kernel does not count them.
std::optional<uint64_t> reads_so_far() {
  std::ifstream file("/proc/thread-self/io");
  for (std::string word; file >> word;)
    if (uint64_t count; word == "syscr:" && file >> count)
      return count;
  return std::nullopt;
}

// Each of the first nine looks reads /proc/TID/status, and nine of the next 90.
TEST_F(Drain, LooksForFiltersAsOftenAsForNames) {
  if (!reads_so_far())
    GTEST_SKIP() << "the kernel counts no reads";
  writer.rings[0].tid = own_tid();
  LaterFilters filters;
  const auto reads_of = [&](int looks) {
    const uint64_t before = *reads_so_far();
    for (int i = 0; i < looks; i++)
      EXPECT_EQ(filters.look(*writer.buffer, 1), "");
    return *reads_so_far() - before;
  };
  reads_of(1); // and the process's own
  const uint64_t early = reads_of(8), later = reads_of(90);
  EXPECT_GT(early, reads_of(0));
  EXPECT_GT(later, early);
  EXPECT_LT(later, 2 * early);
  EXPECT_EQ(reads_of(90), later);
}

// A writer of version 5 was killed while it emptied the sub-buffer, before or after it had counted
// the events in it.
class Emptied : public Drain, public testing::WithParamInterface<std::pair<uint64_t, uint64_t>> {};
TEST_P(Emptied, CountsAsOverwritten) {
  auto [counted, seq] = GetParam();
  const_cast<nophook_buffer &>(writer.buffer->header()).version = 5;
  writer.fill(0, 0, tid_that_is_gone(), two, NOPHOOK_SUBBUF_ACTIVE);
  writer.fill(1, 0, writer.rings[0].tid, two, NOPHOOK_SUBBUF_ACTIVE);
  writer.buffer->subbuf(0)->seq = seq;
  writer.rings[0].written = counted;
  drain.finish(/*gone=*/true);
  Recording r = recorded();
  EXPECT_EQ(r.events(), 2u);
  EXPECT_EQ(r.overwritten(), 7u);
  EXPECT_EQ(r.damage(), "");
}
INSTANTIATE_TEST_SUITE_P(Moments, Emptied,
                         testing::Values(std::pair(5, NOPHOOK_SEQ_NONE | 7),
                                         std::pair(7, NOPHOOK_SEQ_NONE | 7),
                                         std::pair(7, ~uint64_t{0}))); // before version 5

// Events of sub-buffers that are gone. The ring has counted them. If its thread was killed before
// it counted, the last sub-buffer has the count.
class Written : public Drain, public testing::WithParamInterface<std::pair<uint64_t, bool>> {};
TEST_P(Written, IsOverwrittenIfItIsNotThere) {
  auto [counted, is_gone] = GetParam();
  const int32_t tid = is_gone ? tid_that_is_gone() : own_tid();
  const_cast<nophook_buffer &>(writer.buffer->header()).full = NOPHOOK_FULL_OVERWRITE;
  Words before, between;
  before.words = {nophook_before_word(0), ~uint64_t{7}};
  between.words = {nophook_before_word(0), ~uint64_t{9}};
  for (const Words *words : {&before, &between}) {
    Words all = *words;
    all.words.insert(all.words.end(), two.words.begin(), two.words.end());
    writer.fill(words == &before ? 0 : 1, 0, tid, all,
                words == &before ? NOPHOOK_SUBBUF_FULL : NOPHOOK_SUBBUF_ACTIVE);
  }
  writer.rings[0].written = counted;
  drain.finish(is_gone);
  Recording r = recorded();
  EXPECT_EQ(r.events(), 4u);
  EXPECT_EQ(r.overwritten(), 7u);
  EXPECT_EQ(r.damage(), "");
}
INSTANTIATE_TEST_SUITE_P(Moments, Written,
                         testing::Values(std::pair(9, true), std::pair(7, true),
                                         std::pair(11, true), std::pair(9, false)));

// Another thread had claimed a sub-buffer of a thread that had ended, and was killed, too.
TEST_F(Drain, TakesWhatWasClaimed) {
  writer.fill(0, 0, tid_that_is_gone(), two, NOPHOOK_SUBBUF_ACTIVE);
  writer.buffer->subbuf(0)->tid = 0;
  drain.finish(/*gone=*/true);
  Recording r = recorded();
  EXPECT_EQ(r.events(), 2u);
  ASSERT_EQ(r.streams().size(), 1u);
  EXPECT_EQ(r.streams().begin()->second.tid, writer.rings[0].tid);
}

TEST_F(Drain, TakesFullOnesAndGivesThemBackZeroed) {
  writer.fill(2, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  EXPECT_TRUE(drain.drain());
  EXPECT_EQ(writer.states[2], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_TRUE(writer.is_zero(2));
  EXPECT_FALSE(drain.drain());
  EXPECT_EQ(totals.events, 2u);
  Recording result = recorded();
  EXPECT_EQ(result.streams().at(0).events, 2u);
  EXPECT_EQ(result.streams().at(0).tid, own_tid());
}

// The thread does not write its name: the recorder reads it, also when it has changed.
TEST_F(Drain, ReadsTheLastNameOfALivingThread) {
  char before[16];
  prctl(PR_GET_NAME, before);
  prctl(PR_SET_NAME, "at_first");
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  drain.drain();
  prctl(PR_SET_NAME, "at_last");
  writer.fill(1, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  drain.drain();
  drain.finish(/*gone=*/false);
  prctl(PR_SET_NAME, before);
  EXPECT_EQ(recorded().streams().at(0).name, "at_last");
}

TEST_F(Drain, LeavesActiveOnesAlone) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_ACTIVE);
  EXPECT_FALSE(drain.drain());
  drain.reclaim_threads();
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_ACTIVE);
  EXPECT_EQ(writer.rings[0].tid, own_tid());
}

TEST_F(Drain, WaitsForAnEventThatIsBeingWritten) {
  Words hole = Words().entry(1, 1, 1).hole().exit(1, 1, 3);
  writer.fill(0, 0, own_tid(), hole, NOPHOOK_SUBBUF_FULL);
  EXPECT_FALSE(drain.drain());
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FULL);
  const_cast<uint64_t &>(writer.buffer->words(0, 24)[1]) = Words().entry(2, 2, 2).words[0];
  EXPECT_TRUE(drain.drain());
  EXPECT_EQ(totals.events, 3u);
}

TEST_F(Drain, ReadsAroundTheHoleOfAThreadThatIsGone) {
  Words hole = Words().entry(1, 1, 1).hole().exit(1, 1, 3);
  writer.fill(0, 0, tid_that_is_gone(), hole, NOPHOOK_SUBBUF_FULL);
  drain.reclaim_threads();
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_EQ(totals.events, 2u);
}

TEST_F(Drain, GivesBackTheRingOfAThreadThatIsGone) {
  writer.fill(3, 1, tid_that_is_gone(), two, NOPHOOK_SUBBUF_ACTIVE);
  writer.rings[1].lost = 5;
  drain.reclaim_threads();
  EXPECT_EQ(writer.states[3], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_TRUE(writer.is_zero(3));
  EXPECT_EQ(writer.rings[1].tid, 0);
  EXPECT_EQ(totals.events, 2u);
  EXPECT_EQ(totals.lost, 5u);
}

// The sub-buffer's header is still zero, which looks like ring 0, whose thread is gone.
TEST_F(Drain, DoesNotTakeASubbufferThatIsBeingBegun) {
  writer.fill(0, 0, tid_that_is_gone(), two, NOPHOOK_SUBBUF_ACTIVE);
  writer.states[1] = NOPHOOK_SUBBUF_ACTIVE;
  drain.reclaim_threads();
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_EQ(writer.states[1], (uint32_t)NOPHOOK_SUBBUF_ACTIVE);
}

TEST_F(Drain, ThreadsThatShareARingAreTwoStreams) {
  writer.fill(0, 0, tid_that_is_gone(), two, NOPHOOK_SUBBUF_ACTIVE);
  drain.reclaim_threads();
  writer.rings[0].subbufs = 0;
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  drain.drain();
  Recording result = recorded();
  ASSERT_EQ(result.streams().size(), 2u);
  EXPECT_NE(result.streams().at(0).tid, result.streams().at(1).tid);
}

TEST_F(Drain, AtTheEndTakesWhatIsThere) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.fill(1, 0, own_tid(), Words().entry(3, 1, 3), NOPHOOK_SUBBUF_ACTIVE);
  drain.finish(/*gone=*/false); // still running: it is read, not taken away
  EXPECT_EQ(writer.buffer->header().stop, 1u);
  EXPECT_EQ(writer.states[1], (uint32_t)NOPHOOK_SUBBUF_ACTIVE);
  EXPECT_EQ(totals.events, 3u);
}

TEST_F(Drain, LogLinesAreWholeLines) {
  auto *header = const_cast<nophook_buffer *>(&writer.buffer->header());
  std::strcpy(header->log, "one\ntw");
  header->log_bytes = 8; // the line's end is being copied
  EXPECT_EQ(drain.read_log(), "one\n");
  std::strcpy(header->log, "one\ntwo\n");
  EXPECT_EQ(drain.read_log(), "two\n");
  EXPECT_EQ(drain.read_log(), "");
}

TEST_F(Drain, DoesNotBelieveSubbufferHeaders) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->subbuf(0)->used = 0xffffffff;
  writer.buffer->subbuf(0)->ring = 77;
  drain.drain(); // it has holes now: it stays
  writer.fill(1, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->subbuf(1)->ring = 77;
  drain.drain();
  drain.finish(true);
  EXPECT_EQ(totals.events, 0u);
}

TEST_F(Drain, ARingThatAThreadHasTakenOverIsNotGivenBack) {
  int32_t gone = tid_that_is_gone();
  writer.rings[1].tid = own_tid();
  EXPECT_FALSE(writer.buffer->give_back_ring(1, gone));
  EXPECT_EQ(writer.rings[1].tid, own_tid());
  auto *header = const_cast<nophook_buffer *>(&writer.buffer->header());
  header->lost = 3; // the count in the sub-buffer before it
  header->overwritten = 4;
  drain.finish(true);
  EXPECT_EQ(totals.lost, 3u);
  EXPECT_EQ(totals.overwritten, 4u);
  EXPECT_EQ(recorded().overwritten(), 4u);
}

TEST_F(Drain, WhatIsBeyondTheSizeGoesBackWithItsMemory) {
  const_cast<nophook_buffer &>(writer.buffer->header()).subbuf_most = 2;
  writer.fill(1, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.fill(3, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  EXPECT_TRUE(drain.drain());
  EXPECT_TRUE(writer.is_zero(1) && writer.is_zero(3));
  EXPECT_EQ(writer.states[3], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_EQ(totals.events, 4u);
}

// The memory of a sub-buffer is at its beginning. Memory behind it, such as the next sub-buffer's,
// is not counted.
TEST_F(Drain, KnowsHowMuchOfASubbufferHasMemory) {
  constexpr uint64_t kPage = NOPHOOK_SUBBUF_FIRST_BYTES;
  EXPECT_EQ(writer.buffer->memory_bytes(1), NOPHOOK_SUBBUF_BYTES);
  for (uint64_t has = NOPHOOK_SUBBUF_BYTES; has > kPage;) {
    has -= kPage;
    ASSERT_EQ(madvise(reinterpret_cast<char *>(writer.buffer->subbuf(1)) + has, kPage, MADV_REMOVE),
              0);
    EXPECT_EQ(writer.buffer->memory_bytes(1), has);
  }
}

TEST_F(Drain, DoesNotBelieveSizes) {
  auto *header = const_cast<nophook_buffer *>(&writer.buffer->header());
  header->subbuf_used = header->subbuf_most = 0xffffffff;
  EXPECT_EQ(writer.buffer->subbuf_count(), kSubbufs);
  EXPECT_EQ(writer.buffer->subbuf_most(), kSubbufs);
  header->subbuf_used = 2;
  EXPECT_EQ(writer.buffer->subbuf_count(), 2u);
}

class Clear : public Drain {
protected:
  // Clears the buffer at a time between the two events of `two`.
  void clear_between() {
    auto *header = const_cast<nophook_buffer *>(&writer.buffer->header());
    header->cleared = subbuf_header(1, 0).time_base + 2;
    header->clears++;
  }
};

TEST_F(Clear, WhatIsBehindTheTimeIsRead) {
  writer.fill(0, 0, own_tid(), Words().control(NOPHOOK_CONTROL_CPU, 3).entry(1, 1, 1).exit(1, 1, 2),
              NOPHOOK_SUBBUF_FULL);
  writer.rings[0].lost = 5;
  clear_between();
  EXPECT_TRUE(drain.drain());
  drain.finish(false);
  EXPECT_EQ(totals.events, 1u);
  EXPECT_EQ(totals.lost, 0u); // counted before
  Recording result = recorded();
  EXPECT_EQ(result.streams().at(0).events, 1u);
}

// Events are lost: 5 before the first sub-buffer; 7 more, which are cleared; 9 before the next, 2
// more at the end.
TEST_F(Clear, WhatIsLostBehindItIsCountedFromThere) {
  auto fill = [&](uint32_t index, uint64_t lost, uint64_t time) {
    writer.fill(index, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
    writer.buffer->subbuf(index)->lost = lost;
    writer.buffer->subbuf(index)->time_base += time;
  };
  fill(0, 5, 0);
  writer.rings[0].lost = 5;
  EXPECT_TRUE(drain.drain());
  clear_between();
  writer.rings[0].clears = 1;
  writer.rings[0].lost = 9;
  fill(1, 9, 10);
  drain.reclaim_threads(); // finds the rings
  EXPECT_EQ(drain.lost_now(), 5u + 9);
  EXPECT_TRUE(drain.drain());
  writer.rings[0].lost = 11;
  drain.finish(true);
  EXPECT_EQ(totals.lost, 5u + 9 + 2);
  Recording result = recorded();
  Merge merge(result);
  std::vector<uint64_t> lost;
  Thread *thread;
  for (Step step; merge.next(&thread, &step);)
    if (step.kind == Step::kLost)
      lost.push_back(step.lost);
  EXPECT_EQ(lost, (std::vector<uint64_t>{5, 9}));
}

TEST_F(Clear, WhatWasLostBeforeItIsClearedInTheMiddleOfASubbufferToo) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->subbuf(0)->lost = 1000;
  clear_between();
  EXPECT_TRUE(drain.drain());
  Recording result = recorded();
  Merge merge(result);
  Thread *thread;
  Step step;
  ASSERT_TRUE(merge.next(&thread, &step));
  EXPECT_EQ(step.kind, Step::kExitOnly);
}

TEST_F(Clear, GivesBackWhatOwnersHaveLeft) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.fill(1, 0, own_tid(), Words().entry(1, 1, 1).hole().exit(1, 1, 3), NOPHOOK_SUBBUF_FULL);
  writer.fill(2, 0, own_tid(), two, NOPHOOK_SUBBUF_ACTIVE);
  writer.buffer->clear();
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_TRUE(writer.is_zero(0));
  EXPECT_EQ(writer.states[1], (uint32_t)NOPHOOK_SUBBUF_FULL); // its writer comes back
  EXPECT_EQ(writer.states[2], (uint32_t)NOPHOOK_SUBBUF_ACTIVE);
  EXPECT_EQ(writer.buffer->header().clears, 1u);
  drain.finish(true);
  EXPECT_EQ(totals.events, 0u);
}

TEST_F(Clear, LeavesAllToWhoHasTheLock) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  SharedBuffer recorder = std::move(*SharedBuffer::open(writer.path));
  EXPECT_TRUE(recorder.lock());
  EXPECT_FALSE(writer.buffer->lock());
  EXPECT_FALSE(drain.begin_anew(7));
  EXPECT_FALSE(drain.drain());
  writer.buffer->clear();
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FULL);
  recorder.unlock();
  EXPECT_TRUE(drain.drain());
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FREE);
  EXPECT_EQ(totals.events, 0u);
}

TEST_F(Clear, OfACounterGoesByTheNewestEvent) {
  const_cast<nophook_buffer &>(writer.buffer->header()).clock = NOPHOOK_CLOCK_COUNTER;
  writer.fill(0, 0, own_tid(),
              Words()
                  .entry(1, 1, 1)
                  .control(NOPHOOK_CONTROL_TIME, 0)
                  .payload(2000000)
                  .entry(2, 2, 7)
                  .exit(2, 2, 9),
              NOPHOOK_SUBBUF_ACTIVE);
  writer.buffer->clear();
  EXPECT_EQ(writer.buffer->cleared(), 2000000u + 9 + 1);
}

// An emulator's counter is not this CPU's: its time follows from the values that the process has
// stored.
TEST_F(Clear, OfAnotherCpuGoesByTheSpeedOfItsCounter) {
  constexpr uint64_t kStart = 1'000'000, kHour = 3'600'000'000'000;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  auto &header = const_cast<nophook_buffer &>(writer.buffer->header());
  header.machine =
      kOwnProcessor == llvm::ELF::EM_AARCH64 ? llvm::ELF::EM_X86_64 : llvm::ELF::EM_AARCH64;
  header.counter_hz = 1000;
  header.start_tsc = kStart;
  header.start_ns = (uint64_t)now.tv_sec * 1'000'000'000;
  writer.buffer->clear();
  EXPECT_GE(writer.buffer->cleared(), kStart);
  EXPECT_LE(writer.buffer->cleared(), kStart + kHour / 1'000'000); // a thousand ticks a second
}

TEST_F(Clear, BeginsAnewWhatAReaderHasStopped) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->stop();
  EXPECT_TRUE(drain.begin_anew(7));
  EXPECT_EQ(writer.buffer->header().stop, 0u);
  EXPECT_EQ(writer.states[0], (uint32_t)NOPHOOK_SUBBUF_FREE);
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->subbuf(0)->time_base = drain.cleared();
  EXPECT_TRUE(drain.drain());
  EXPECT_EQ(totals.events, 2u);
}

// The reader has announced the end of the recording.
TEST_F(Clear, OfAReaderThatHasSaidStopChangesNothing) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  drain.stop();
  clear_between();
  drain.finish(false);
  EXPECT_EQ(totals.events, 2u);
}

TEST_F(Clear, AReaderKilledWhileItZeroesLeavesNothing) {
  writer.fill(0, 0, own_tid(), two, NOPHOOK_SUBBUF_FULL);
  writer.buffer->subbuf(0)->used = 0;
  EXPECT_TRUE(drain.drain());
  EXPECT_TRUE(writer.is_zero(0));
  EXPECT_EQ(totals.events, 0u);
}

// Number 9 was begun while the others were read.
TEST(HeldSubbufs, ACopyHasNoGap) {
  const std::vector<HeldSubbuf> held = {{0, 1, 4, 7}, {0, 1, 5, 2}, {0, 1, 6, 3}, {0, 1, 9, 4}};
  std::span<const HeldSubbuf> run = longest_run(held);
  ASSERT_EQ(run.size(), 3u);
  EXPECT_EQ(run.front().seq, 4u);
  EXPECT_EQ(longest_run(std::span(held).subspan(2)).front().seq, 9u); // the newest of equals
  EXPECT_TRUE(longest_run({}).empty());
}

// The owner has written 2 and 3 while the copy was made, and the copy has 3 only.
TEST(HeldSubbufs, ACopyHasWhatWasWrittenBeforeWhatItHas) {
  const uint64_t live[] = {1, 2, 3, 0, 5, 6};
  uint64_t copy[] = {1, 0, 3, 0, 5, 0};
  fill_holes(copy, live);
  EXPECT_EQ(std::vector(copy, copy + 6), // behind the last, nothing is added
            (std::vector<uint64_t>{1, 2, 3, 0, 5, 0}));
}

TEST(SharedBuffer, DamagedHeadersAreRefused) {
  Folder folder;
  Writer writer(folder);
  std::string good = read_file(writer.path);
  auto refused = [&](size_t offset, uint64_t value, size_t bytes) {
    std::string bad = good;
    std::memcpy(&bad[offset], &value, bytes);
    write_file(folder / "bad.buf", bad);
    return !SharedBuffer::open(folder / "bad.buf").ok();
  };
  EXPECT_TRUE(refused(offsetof(nophook_buffer, magic), 1, 8));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, version), NOPHOOK_BUFFER_VERSION + 1, 4));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, subbuf_bytes), 4096, 4));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, subbuf_count), kSubbufs + 1, 4));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, ring_count), 0xffffffff, 4));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, rings_offset), ~uint64_t{7}, 8));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, states_offset), 3, 8));
  EXPECT_TRUE(refused(offsetof(nophook_buffer, subbufs_offset), good.size(), 8));
  EXPECT_FALSE(refused(offsetof(nophook_buffer, ppid), 5, 4));
}

} // namespace
