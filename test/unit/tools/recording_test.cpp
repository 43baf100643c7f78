// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings: a reader reads all that was written, and damage costs only the damaged part.

#include "synthetic.h"

#include "read/recording/reader.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/resource.h>

using namespace nophook;
using namespace nophook::test;

namespace {

// Two threads with two sub-buffers each, the second one first in the file.
void write_sample(const std::string &path) {
  RecordingBuilder builder(path);
  for (uint32_t stream : {0, 1})
    for (uint64_t seq : {1, 0})
      ASSERT_TRUE(builder.add(stream, subbuf_header(100 + (int32_t)stream, seq),
                              Words().entry(stream, 1, seq * 10).exit(stream, 1, seq * 10 + 5)));
  builder.finish();
}

// The number of words of events that can be read, through the checksums.
uint64_t readable_words(Recording &recording) {
  uint64_t words = 0;
  for (const auto &[index, stream] : recording.streams())
    for (const auto &subbuf : stream.subbufs)
      if (SubbufView view; recording.load(subbuf, &view))
        words += view.words.size();
  return words;
}

TEST(Recording, IsReadAsItWasWritten) {
  Folder folder;
  write_sample(folder / "r");
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok()) << recording.error().text();
  EXPECT_EQ(recording->damage(), "");
  EXPECT_EQ(recording->streams().size(), 2u);
  EXPECT_EQ(recording->processes().at(0).pid, 100);
  EXPECT_EQ(recording->info().text("tracer"), "function_graph");
  const RecordedStream &stream = recording->streams().at(1);
  EXPECT_EQ(stream.tid, 101);
  ASSERT_EQ(stream.subbufs.size(), 2u);
  EXPECT_EQ(stream.subbufs[0].seq, 0u);
  EXPECT_EQ(readable_words(*recording), 8u);
}

// The name is in a sub-buffer, as in older recordings; or among the names; or no reader has seen
// it.
TEST(Recording, AThreadHasOneNameTheLast) {
  Folder folder;
  RecordingBuilder builder(folder / "r");
  auto add = [&](uint32_t stream, uint64_t seq, const char *comm) {
    nophook_subbuf header = subbuf_header(100 + (int32_t)stream, seq);
    header.time_base += 1000; // 500 ns
    std::memset(header.comm, 0, sizeof header.comm);
    std::memcpy(header.comm, comm, std::strlen(comm));
    ASSERT_TRUE(builder.add(stream, header, Words().entry(1, 1, 1).exit(1, 1, 2)));
  };
  auto name = [&](uint32_t stream, const char *text, uint64_t ns) {
    ThreadNameChunk chunk = {stream, 100 + (int32_t)stream, ns, {}};
    std::memcpy(chunk.name, text, std::strlen(text));
    builder.writer().append(ChunkType::kThread, 0,
                            {reinterpret_cast<const uint8_t *>(&chunk), sizeof chunk});
  };
  add(0, 0, "first"), add(0, 1, "second");
  const uint64_t later = 1'000'000; // later than all sub-buffers
  add(1, 0, "program"), name(1, "one", 0), add(1, 1, "two"), name(1, "sixteen_bytes_16", later);
  add(2, 0, ""), add(2, 1, "");
  name(3, "one", 0), add(3, 0, "three");
  builder.finish();
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  const char *const names[] = {"second", "sixteen_bytes_16", "(thread)", "three"};
  for (uint32_t stream : {0, 1, 2, 3})
    for (const auto &subbuf : recording->streams().at(stream).subbufs) {
      SubbufView view;
      ASSERT_TRUE(recording->load(subbuf, &view));
      EXPECT_EQ(std::string(view.header.comm, strnlen(view.header.comm, 16)), names[stream]);
    }
}

TEST(Recording, TheClockComesFromItsTwoEnds) {
  Folder folder;
  write_sample(folder / "r"); // 2,000,000 ticks in 1,000,000 ns
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->clock().duration(4000), 2000u);
  EXPECT_EQ(recording->clock().at(kTimeBase + 200), 100u);
}

// The facts about a process's CPU: none, as in recordings from before there were others, or its
// number and its counter's speed.
TEST(Recording, AProcessMayBeOfAnotherCpu) {
  Folder folder;
  write_sample(folder / "old");
  auto old = Recording::open(folder / "old");
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(processor_name(old->processes().at(0).machine), "x86-64");
  auto with = [&](const char *about) {
    RecordingBuilder builder(folder / "r");
    builder.writer().append_text(ChunkType::kProcess, 0, about);
    builder.finish();
    auto recording = Recording::open(folder / "r");
    EXPECT_TRUE(recording.ok());
    return std::move(*recording);
  };
  // The recorder has measured 2 GHz by a counter of its own: the process's runs at 25 MHz.
  Recording other =
      with(R"({"pid":100,"machine":183,"counter_hz":25000000,"start_tsc":1000,"start_ns":7000})");
  EXPECT_EQ(processor_name(other.processes().at(0).machine), "AArch64");
  EXPECT_EQ(other.clock().duration(25), 1000u);
  EXPECT_EQ(other.clock().at(1025), 8000u);
  // The measured speed, if it is this counter's, is more exact than the reported one.
  Recording same =
      with(R"({"pid":100,"machine":183,"counter_hz":1990000000,"start_tsc":1000,"start_ns":7000})");
  EXPECT_EQ(same.clock().duration(4000), 2000u);
  EXPECT_EQ(same.clock().at(kTimeBase + 200), 100u);
}

// A file that is cut at any length never causes a crash, is always reported, and never has more
// events than before.
TEST(Recording, MayBeCutAnywhere) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  uint64_t last = 0;
  for (size_t bytes = 0; bytes < whole.size(); bytes++) {
    write_file(folder / "cut", whole.substr(0, bytes));
    auto recording = Recording::open(folder / "cut");
    if (bytes < sizeof(FileHeader)) {
      EXPECT_FALSE(recording.ok());
      continue;
    }
    ASSERT_TRUE(recording.ok());
    EXPECT_NE(recording->damage(), "") << bytes;
    uint64_t words = readable_words(*recording);
    EXPECT_GE(words, last);
    last = words;
  }
  EXPECT_EQ(last, 8u);
}

// After a change of any byte, only its chunk may be missing, and it is reported.
TEST(Recording, ADamagedByteIsFound) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  for (size_t at = sizeof(FileHeader); at < whole.size(); at++) {
    std::string damaged = whole;
    damaged[at] ^= 0x41;
    write_file(folder / "bad", damaged);
    auto recording = Recording::open(folder / "bad");
    ASSERT_TRUE(recording.ok());
    readable_words(*recording);
    EXPECT_NE(recording->damage(), "") << "offset " << at;
  }
}

// A recorder writes into the file that is being read: each chunk is unchanged, or it is left out.
TEST(Recording, TheFileMayChangeWhileItIsRead) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  auto reread = [&](auto change) {
    write_file(folder / "r", whole);
    auto recording = Recording::open(folder / "r");
    EXPECT_TRUE(recording.ok() && recording->damage().empty());
    change(recording->streams().at(0).subbufs[1].chunk);
    uint64_t words = readable_words(*recording);
    EXPECT_NE(recording->damage(), "");
    return words;
  };
  EXPECT_EQ(reread([&](uint64_t) { EXPECT_EQ(::truncate((folder / "r").c_str(), 0), 0); }), 0u);
  EXPECT_EQ(reread([&](uint64_t chunk) {
              std::string larger = whole;
              for (size_t i = 0; i < 4; i++)
                larger[chunk + offsetof(ChunkHeader, bytes) + i] = (char)0xf8;
              std::ofstream(folder / "r", std::ios::in | std::ios::binary) << larger;
            }),
            6u);
}

// Sub-buffers are in the file in the order in which the recorder has found them: they are read in
// the thread's order, also if the file is cut in the middle of a chunk.
TEST(Recording, IsInOrderWhenItIsCut) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  write_file(folder / "cut", whole.substr(0, whole.size() - 8));
  auto recording = Recording::open(folder / "cut");
  ASSERT_TRUE(recording.ok());
  for (const auto &[index, stream] : recording->streams())
    EXPECT_LT(stream.subbufs.at(0).seq, stream.subbufs.at(1).seq);
}

TEST(Recording, ADamagedSubbufferCostsOnlyItself) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  auto first = Recording::open(folder / "r");
  ASSERT_TRUE(first.ok());
  whole[first->streams().at(0).subbufs[0].chunk + sizeof(ChunkHeader) + 70] ^= 1;
  write_file(folder / "bad", whole);
  auto recording = Recording::open(folder / "bad");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(readable_words(*recording), 6u);
  EXPECT_NE(recording->damage().find("checksum"), std::string::npos);
}

TEST(Recording, ADamagedHeaderCostsOnlyItself) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  auto first = Recording::open(folder / "r");
  ASSERT_TRUE(first.ok());
  whole[first->streams().at(0).subbufs[0].chunk + offsetof(ChunkHeader, magic)] ^= 1;
  write_file(folder / "bad", whole);
  auto recording = Recording::open(folder / "bad");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(readable_words(*recording), 6u);
  EXPECT_NE(recording->damage().find("damaged header"), std::string::npos);
}

TEST(Recording, IsTheSameWithoutItsParts) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  const size_t end = whole.rfind("NPCK"), parts = whole.rfind("NPCK", end - 1);
  ASSERT_EQ((ChunkType)whole[parts + offsetof(ChunkHeader, type)], ChunkType::kParts);
  write_file(folder / "walked", whole.substr(0, parts) + whole.substr(end));
  auto recording = Recording::open(folder / "r"), walked = Recording::open(folder / "walked");
  ASSERT_TRUE(recording.ok() && walked.ok());
  EXPECT_EQ(walked->damage(), "");
  EXPECT_EQ(walked->events(), recording->events());
  EXPECT_EQ(walked->clock().ns_per_tick, recording->clock().ns_per_tick);
  EXPECT_EQ(walked->processes().size(), recording->processes().size());
  EXPECT_EQ(readable_words(*walked), 8u);
  ASSERT_EQ(walked->streams().size(), recording->streams().size());
  for (const auto &[number, stream] : recording->streams()) {
    const RecordedStream &other = walked->streams().at(number);
    EXPECT_EQ(other.tid, stream.tid);
    ASSERT_EQ(other.subbufs.size(), stream.subbufs.size());
    for (size_t i = 0; i < stream.subbufs.size(); i++)
      EXPECT_EQ(other.subbufs[i].chunk, stream.subbufs[i].chunk);
  }
}

TEST(Recording, OtherFilesAreRefused) {
  Folder folder;
  write_file(folder / "text", std::string(1000, 'x'));
  EXPECT_NE(Recording::open(folder / "text").error().problem.find("not a recording"),
            std::string::npos);
  write_file(folder / "empty", "");
  EXPECT_FALSE(Recording::open(folder / "empty").ok());
  EXPECT_FALSE(Recording::open(folder / "missing").ok());
  EXPECT_FALSE(Recording::open("/").ok());
  write_sample(folder / "r");
  std::string newer = read_file(folder / "r");
  newer[offsetof(FileHeader, version)] = 99;
  write_file(folder / "newer", newer);
  EXPECT_NE(Recording::open(folder / "newer").error().problem.find("version 99"),
            std::string::npos);
}

// An older version, and a later header with more fields: the readable part is the same.
TEST(Recording, OtherVersionsAreReadTheSame) {
  Folder folder;
  write_sample(folder / "r");
  std::string whole = read_file(folder / "r");
  auto is_the_same = [&](const std::string &bytes) {
    write_file(folder / "other", bytes);
    auto recording = Recording::open(folder / "other");
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    EXPECT_EQ(recording->damage(), "");
    EXPECT_EQ(recording->processes().at(0).pid, 100);
    EXPECT_EQ(recording->streams().at(1).tid, 101);
    EXPECT_EQ(recording->clock().duration(4000), 2000u);
    EXPECT_EQ(readable_words(*recording), 8u);
  };
  for (char version : {1, 2}) {
    std::string older = whole;
    older[offsetof(FileHeader, version)] = version;
    is_the_same(older);
  }
  std::string longer = whole;
  longer[offsetof(FileHeader, header_bytes)] += 8;
  longer.insert(sizeof(FileHeader), "appended");
  is_the_same(longer);
}

TEST(Recording, AnUnwritableOutputIsAnError) {
  auto writer = RecordingWriter::create("/nonexistent/folder/x");
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().text().find("/nonexistent/folder/x"), std::string::npos);
}

// A limit on the file's size stands for a full disk.
class FullDisk : public testing::Test {
protected:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    for (uint64_t i = 0; i < 8000; i++)
      words.entry(1, 1, i);
  }
  ~FullDisk() override { setrlimit(RLIMIT_FSIZE, &before_); }

  void limit(uint64_t bytes) {
    rlimit small = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }

  // Ends the recording and returns how many sub-buffers can be read again.
  uint64_t readable(RecordingBuilder &builder) {
    given_up = builder.writer().finish(R"({"failure":"disk full"})");
    EXPECT_TRUE(builder.writer().failure().has_value());
    setrlimit(RLIMIT_FSIZE, &before_);
    auto recording = Recording::open(folder / "r");
    EXPECT_TRUE(recording.ok());
    EXPECT_EQ(recording->end().text("failure"), "disk full");
    return readable_words(*recording) / 8000;
  }

  Folder folder;
  Words words;
  uint32_t given_up = 0;

private:
  rlimit before_;
};

TEST_F(FullDisk, LeavesAReadableFile) {
  RecordingBuilder builder(folder / "r");
  limit(200'000);
  uint64_t kept = 0;
  for (uint64_t seq = 0; seq < 10; seq++)
    kept += builder.add(0, subbuf_header(100, seq), words);
  EXPECT_EQ(kept, 3u);
  EXPECT_EQ(readable(builder), 3u);
  EXPECT_EQ(given_up, 0u);
}

TEST_F(FullDisk, MayCostOnlyTheParts) {
  RecordingBuilder builder(folder / "r");
  ASSERT_TRUE(builder.add(0, subbuf_header(100, 0), words));
  limit(builder.writer().bytes() + sizeof(ChunkHeader) + 8); // END is as large
  EXPECT_EQ(builder.writer().finish("{}"), 0u);
  EXPECT_FALSE(builder.writer().failure().has_value());
  auto recording = Recording::open(folder / "r");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->end().text("failure"), "");
  EXPECT_EQ(readable_words(*recording), 8000u);
}

TEST_F(FullDisk, MayCostTheLastSubbuffer) {
  RecordingBuilder builder(folder / "r");
  for (uint64_t seq = 0; seq < 3; seq++)
    ASSERT_TRUE(builder.add(0, subbuf_header(100, seq), words));
  limit(builder.writer().bytes()); // not a byte more, not even for the END chunk
  EXPECT_FALSE(builder.add(0, subbuf_header(100, 3), words));
  EXPECT_EQ(readable(builder), 2u);
  EXPECT_EQ(given_up, 8000u);
}

} // namespace
