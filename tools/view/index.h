// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a recording, NAME.index: what `nophook view` must know to draw any part of it at
// once.
//
// The recording itself stays as it is. The index has, for each stream, the sub-buffers with their
// times and, now and then, the calls that were open at their begin (so that decoding may begin
// there), the levels of detail of each track, and the marks, losses and ends.
//
//   +-------------+----------------------------------+--------+
//   | IndexHeader | slice pages, states of decoders  | tables |
//   +-------------+----------------------------------+--------+
//
// It is written while the recording is read once, and the same object answers in the meantime with
// what has been read so far. The header is written last: a file without it is no index. An index
// fits a recording of the same size, time of change, and first and last bytes; otherwise it is made
// again. Numbers are little endian and the structures are those of this program, so an index of
// another version is made again, too.

#pragma once

#include "base/file.h"
#include "decode/timeline.h"
#include "recording/reader.h"
#include "view/levels.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace nophook {

constexpr uint32_t kIndexVersion = 1;

// A sub-buffer. The file has its state and, behind that, the set of its functions.
struct IndexedBlock {
  uint64_t first = 0; // when it was begun: not after its first event
  uint64_t last = 0;  // not before its last event
  uint64_t offset = 0;
  uint32_t state_bytes = 0; // 0: decoding cannot begin here
  uint32_t functions_bytes = 0;
  uint32_t subbuf = 0; // index in RecordedStream::subbufs
  uint32_t reserved = 0;
};

// What happened at one time.
struct IndexedNote {
  enum Kind : uint8_t { kMark, kLoss, kEnd };
  Kind kind = kMark;
  uint64_t from = 0; // of a loss: the event before it
  uint64_t time = 0;
  uint64_t lost = 0;
  std::string text;
};

struct IndexedTrack {
  explicit IndexedTrack(Levels all) : levels(std::move(all)) {}
  uint32_t stack = 0; // number of the thread's stack
  uint32_t depth = 0; // one more than that of the deepest call
  uint64_t calls = 0;
  uint64_t first = ~uint64_t{0};
  uint64_t last = 0;
  Levels levels;
};

// The calls of one function.
struct FunctionSums {
  uint64_t calls = 0;
  uint64_t total = 0; // sum of durations: what a function calls through itself counts twice
};

struct IndexedStream {
  mutable std::mutex lock; // of all below, while the index is made
  uint32_t stream = 0;
  std::string name; // of the thread
  uint64_t events = 0;
  bool ended = false; // the thread has said so
  bool done = false;
  std::vector<IndexedBlock> blocks;
  std::vector<std::unique_ptr<IndexedTrack>> tracks;
  std::vector<IndexedNote> notes;
  uint64_t notes_left_out = 0;    // beyond kMostNotes
  std::vector<FunctionSums> sums; // by function; only while it is read, see RecordingIndex::sums
};

constexpr size_t kMostNotes = 100000; // of one stream
constexpr size_t kMostNoteText = 200;

// The functions of a recording, numbered as they are met. Any thread may ask.
class FunctionNumbers {
public:
  struct Function {
    uint32_t process;
    uint32_t id;
  };
  // `key_of`: the same for one function in all processes; called under a lock.
  using KeyOf = std::function<uint64_t(uint32_t process, uint32_t id)>;
  explicit FunctionNumbers(KeyOf key_of) : key_of_(std::move(key_of)) {}

  uint32_t number(uint32_t process, uint32_t id);
  std::vector<Function> all() const;
  void restore(const std::vector<Function> &all);

private:
  mutable std::mutex lock_;
  KeyOf key_of_;
  std::map<uint64_t, uint32_t> by_key_;
  std::vector<Function> all_;
};

// The numbers of one process, for one thread: without a lock once they are known.
class ProcessFunctions {
public:
  ProcessFunctions(FunctionNumbers &numbers, uint32_t process)
      : numbers_(&numbers), process_(process) {}

  uint32_t number(uint32_t id) {
    if (id < known_.size() && known_[id])
      return known_[id] - 1;
    uint32_t number = numbers_->number(process_, id);
    if (id >= kMostKnown)
      return number;
    if (id >= known_.size())
      known_.resize(id + size_t{1});
    known_[id] = number + 1;
    return number;
  }

private:
  static constexpr uint32_t kMostKnown = 1 << 22; // a damaged recording has any ids

  FunctionNumbers *numbers_;
  uint32_t process_;
  std::vector<uint32_t> known_; // by id: the number + 1, or 0
};

// The file, which is written to by several threads and may be read at the same time.
class IndexFile {
public:
  // At `path`, under another name until publish(); if that folder cannot be written to, a file
  // without a name in the folder for temporary files.
  static Result<std::unique_ptr<IndexFile>> create(const std::string &path);
  static Result<std::unique_ptr<IndexFile>> open(const std::string &path);
  ~IndexFile();

  uint64_t append(std::span<const uint8_t> bytes); // returns its offset
  bool write_at(uint64_t offset, const void *data, uint64_t bytes);
  bool read(uint64_t offset, void *to, uint64_t bytes) const;
  uint64_t size() const { return size_; }
  bool failed() const { return failed_; } // of a write: the disk is full

  void publish(); // gives it its name, if it has one

private:
  FileDescriptor fd_;
  std::string path_, temporary_;
  std::atomic<uint64_t> size_{0};
  std::atomic<bool> failed_{false};
};

SlicePage write_page(IndexFile &file, std::span<const Slice> slices);
// False: the page is damaged.
bool read_page(const IndexFile &file, const SlicePage &page, std::vector<Slice> *slices);

// Numbers in ascending order, as differences of seven bits a byte.
std::vector<uint8_t> encode_set(const std::vector<uint32_t> &ascending);
std::vector<uint32_t> decode_set(std::span<const uint8_t> bytes);

std::vector<uint8_t> encode_state(const Timeline::State &state);
std::optional<Timeline::State> decode_state(std::span<const uint8_t> bytes);

// Opens a recording as open_recording() does. If the index at `index` fits it, the index says where
// its parts are: a large recording is then opened at once.
Result<Recording> open_indexed(const std::string &path, const std::string &index);

class RecordingIndex {
public:
  RecordingIndex(Recording &recording, FunctionNumbers::KeyOf key_of);

  // For an index that is to be made: when the recording begins, and about when it ends.
  void find_ends();

  // Reads the index at `path` if it fits; false: it must be made (view/index_builder.h).
  bool load(const std::string &path);
  // Writes tables and header, once all streams are done.
  Result<> save();

  Recording &recording() { return recording_; }
  const Recording &recording() const { return recording_; }
  uint64_t origin() const { return origin_; } // ticks of the first event
  uint64_t time_of(uint64_t tsc) const {
    return tsc <= origin_ ? 0 : recording_.clock().duration(tsc - origin_);
  }
  uint64_t duration() const { return duration_; } // up to the last event, at least

  FunctionNumbers &functions() { return functions_; }
  std::vector<std::unique_ptr<IndexedStream>> &streams() { return streams_; }
  IndexedStream *stream(uint32_t number);

  // Of all streams that are done.
  FunctionSums sums(uint32_t function) const;
  void add_sums(const std::vector<FunctionSums> &sums);
  void note_last(uint64_t time);

  IndexFile *file() { return file_.get(); }
  void set_file(std::unique_ptr<IndexFile> file) { file_ = std::move(file); }
  // Damage of the recording that a worker has found.
  void add_damage(Recording::Damages &&damages);
  std::string damage() const;

  // Reads a page; if it is damaged, damaged() is true from then on.
  bool read(const SlicePage &page, std::vector<Slice> *slices);
  bool damaged() const { return damaged_; }
  std::atomic<uint64_t> events_read{0};
  std::atomic<bool> complete{false};

private:
  bool load_tables(std::span<const uint8_t> tables);
  void forget();

  Recording &recording_;
  FunctionNumbers functions_;
  uint64_t origin_ = 0;
  std::atomic<uint64_t> duration_{0};
  std::vector<std::unique_ptr<IndexedStream>> streams_;
  mutable std::mutex sums_lock_;
  std::vector<FunctionSums> sums_;
  mutable std::mutex damage_lock_; // of the recording's damage
  std::unique_ptr<IndexFile> file_;
  std::atomic<bool> damaged_{false};
};

} // namespace nophook
