// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events, sub-buffers and recordings made by hand: the writer's side of include/nophook/buffer.h,
// to test readers with data that no program writes on demand.

#pragma once

#include "read/recording/writer.h"
#include "read/steps/timeline.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace nophook::test {

constexpr uint64_t kStackBase = 0x7fff'0001'0000;
constexpr uint64_t kTimeBase = 1'000'000;

// The frame of an event with this `sp`.
constexpr uint64_t frame_of(uint64_t sp) {
  return kStackBase - sp * 16;
}

class Words {
public:
  Words &event(uint32_t kind, uint32_t id, uint64_t sp, uint64_t dt) {
    words.push_back((uint64_t)kind << NOPHOOK_KIND_SHIFT | (uint64_t)id << NOPHOOK_ID_SHIFT |
                    sp << NOPHOOK_SP_SHIFT | dt);
    return *this;
  }
  Words &entry(uint32_t id, uint64_t sp, uint64_t dt) {
    return event(NOPHOOK_EVENT_ENTRY, id, sp, dt);
  }
  Words &exit(uint32_t id, uint64_t sp, uint64_t dt) {
    return event(NOPHOOK_EVENT_EXIT, id, sp, dt);
  }
  Words &tail(uint32_t id, uint64_t sp, uint64_t dt) {
    return event(NOPHOOK_EVENT_TAIL, id, sp, dt);
  }
  Words &entry_only(uint32_t id, uint64_t sp, uint64_t dt) {
    return event(NOPHOOK_EVENT_ENTRY_ONLY, id, sp, dt);
  }
  Words &payload(uint64_t value) {
    words.push_back(~value);
    return *this;
  }
  Words &function(uint32_t id, uint64_t parent, uint64_t dt) {
    return event(NOPHOOK_EVENT_FUNCTION, id, 0, dt).payload(parent);
  }
  Words &control(uint32_t which, uint64_t value) {
    words.push_back((uint64_t)NOPHOOK_EVENT_CONTROL << NOPHOOK_KIND_SHIFT |
                    (uint64_t)which << NOPHOOK_ID_SHIFT | value);
    return *this;
  }
  Words &hole() {
    words.push_back(0);
    return *this;
  }

  std::vector<uint64_t> words;
};

inline nophook_subbuf subbuf_header(int32_t tid = 100, uint64_t seq = 0, uint64_t lost = 0) {
  nophook_subbuf header = {};
  header.seq = seq;
  header.time_base = kTimeBase;
  header.sp_base = kStackBase;
  header.lost = lost;
  header.tid = tid;
  header.cpu = 0;
  std::strcpy(header.comm, "thread");
  return header;
}

// Header and words in one piece, for a SUBBUF chunk.
inline std::vector<uint64_t> subbuf(const nophook_subbuf &header, const Words &words) {
  std::vector<uint64_t> memory(sizeof header / 8);
  std::memcpy(memory.data(), &header, sizeof header);
  memory.insert(memory.end(), words.words.begin(), words.words.end());
  return memory;
}

// The sign of a step: `{` for a start, `}` for an end, `;` for an interval that comes at its start.
inline char sign_of(const Step &step) {
  return step.shape == Step::kBegin ? '{' : step.is_leaf() ? ';' : '}';
}

// All steps of one thread's timeline.
inline std::vector<Step> steps_of(const Words &words, bool with_open = false) {
  bool given = false;
  Timeline timeline([&](Timeline::Words *next) {
    if (given)
      return false;
    *next = {subbuf_header(), words.words, nullptr};
    return given = true;
  });
  std::vector<Step> steps;
  for (Step step; timeline.next(&step) || (with_open && timeline.next_open(&step));)
    steps.push_back(step);
  return steps;
}

// A folder that is removed at the end of its test.
class Folder {
public:
  Folder() {
    // It is in memory if possible: some tests write thousands of files.
    bool memory = access("/dev/shm", W_OK) == 0;
    std::filesystem::path parent = memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "nophook-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string &name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A recording with 2 GHz clock, one process, its functions f0...f9 without a file behind them.
class RecordingBuilder {
public:
  explicit RecordingBuilder(const std::string &path, const char *tracer = "function_graph")
      : writer_(std::move(*RecordingWriter::create(path))) {
    writer_.append_text(ChunkType::kInfo, kNoProcess,
                        std::string(R"({"cpus":2,"tracer":")") + tracer + "\"}");
    clock(kTimeBase, 0);
    writer_.append_text(ChunkType::kProcess, 0, R"({"pid":100,"ppid":1,"comm":"thread"})");
  }
  void clock(uint64_t tsc, uint64_t ns) {
    ClockPair pair = {tsc, ns, 0};
    writer_.append(ChunkType::kClock, kNoProcess,
                   {reinterpret_cast<uint8_t *>(&pair), sizeof pair});
  }
  bool add(uint32_t stream, const nophook_subbuf &header, const Words &words) {
    std::vector<uint64_t> memory = subbuf(header, words);
    return writer_.append_subbuf(0, stream, (uint32_t)words.words.size(),
                                 reinterpret_cast<nophook_subbuf *>(memory.data()),
                                 (uint32_t)memory.size() * 8);
  }
  void finish() {
    clock(kTimeBase + 2'000'000, 1'000'000);
    writer_.finish("{}");
  }
  RecordingWriter &writer() { return writer_; }

private:
  RecordingWriter writer_;
};

} // namespace nophook::test
