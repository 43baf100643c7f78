// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a recording, NAME.index: the data that `nophook view` needs to draw any part of it
// at once.
//
// The recording itself stays as it is. The index has, for each stream, the sub-buffers with their
// times and, now and then, the calls that were open at their start (so that decoding may begin
// there), the levels of detail of each track, and the marks, losses and ends.
//
//   +-------------+----------------------------------+--------+
//   | IndexHeader | slice pages, states of decoders  | tables |
//   +-------------+----------------------------------+--------+
//
// It is written while the recording is read once, and the same object answers in the meantime from
// the part that has been read so far. The header is written last: a file without it is no index. An
// index fits a recording of the same size, time of change, and first and last bytes; otherwise it
// is made again. Numbers are little endian and the structures are those of this program, so an
// index of another version is made again, too.

#pragma once

#include "read/recording/reader.h"
#include "show/view/fair_lock.h"
#include "show/view/function_numbers.h"
#include "show/view/index_file.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace nophook {

constexpr uint32_t kIndexVersion = 6;

// A sub-buffer. In the file it has a decoder's state, followed by the set of its functions.
struct IndexedBlock {
  uint64_t first = 0; // time of its beginning, not after its first event
  uint64_t last = 0;  // time not before its last event
  uint64_t offset = 0;
  uint32_t state_bytes = 0; // 0: decoding cannot begin here
  uint32_t functions_bytes = 0;
  uint32_t subbuf = 0;   // index in RecordedStream::subbufs
  uint32_t checksum = 0; // hash of the state and the set
};

// An event at one time that is no call.
struct IndexedNote {
  enum Kind : uint8_t { kMark, kLoss, kEnd };
  Kind kind = kMark;
  uint64_t from = 0; // for a loss: time of the event before it
  uint64_t time = 0;
  uint64_t lost = 0;
  std::string text;
};

struct IndexedTrack {
  explicit IndexedTrack(Levels all) : levels(std::move(all)) {}
  uint32_t stack = 0; // number of the thread's stack
  uint32_t depth = 0; // depth of the deepest call + 1
  uint64_t calls = 0;
  uint64_t first = ~uint64_t{0};
  uint64_t last = 0;
  Levels levels;
};

// The calls of one function.
struct FunctionSums {
  uint64_t calls = 0;
  uint64_t total = 0; // sum of durations; a call within a call of the same function counts twice
};

struct IndexedStream {
  mutable FairLock lock; // for all below, while the index is made
  uint32_t stream = 0;
  std::string name; // name of the thread
  uint64_t events = 0;
  bool ended = false;            // the thread has announced its end
  std::atomic<bool> done{false}; // nothing below changes any more
  // Calls are known from their ends only, as with a threshold: a call may begin before its block.
  bool ends_only = false;
  std::vector<IndexedBlock> blocks;
  std::vector<std::unique_ptr<IndexedTrack>> tracks;
  std::vector<IndexedNote> notes;
  uint64_t notes_left_out = 0;    // number of notes beyond kMostNotes
  std::vector<FunctionSums> sums; // by function; only while it is read, see RecordingIndex::sums
};

// A reader of a stream holds a guard. A stream that is done needs no lock: an answer about the
// whole recording takes a second, and the first picture does not wait for it.
class StreamGuard {
public:
  explicit StreamGuard(const IndexedStream &stream)
      : lock_(stream.done.load(std::memory_order_acquire) ? nullptr : &stream.lock) {
    if (lock_)
      lock_->lock();
  }
  ~StreamGuard() {
    if (lock_)
      lock_->unlock();
  }
  StreamGuard(const StreamGuard &) = delete;
  StreamGuard &operator=(const StreamGuard &) = delete;

private:
  FairLock *lock_;
};

constexpr size_t kMostNotes = 100000; // per stream
constexpr size_t kMostNoteText = 200;

class RecordingIndex {
public:
  RecordingIndex(Recording &recording, FunctionNumbers::KeyOf key_of);

  // Finds the time at which the recording begins, and about that at which it ends, for an index
  // that is to be made.
  void find_ends();

  // Reads the index at `path` if it fits; false: it must be made (show/view/index_builder.h).
  bool load(const std::string &path);
  // Writes tables and header, once all streams are done.
  Result<> save();

  Recording &recording() { return recording_; }
  const Recording &recording() const { return recording_; }
  uint64_t origin() const { return origin_; } // ticks of the first event
  uint64_t time_of(uint64_t tsc) const {
    return tsc <= origin_ ? 0 : recording_.clock().duration(tsc - origin_);
  }
  uint64_t duration() const { return duration_; } // ns up to the last event, at least

  FunctionNumbers &functions() { return functions_; }
  std::vector<std::unique_ptr<IndexedStream>> &streams() { return streams_; }
  IndexedStream *stream(uint32_t number);

  // The sums of a function in the part that has been read.
  FunctionSums sums(uint32_t function) const;
  void add_sums(const std::vector<FunctionSums> &sums);
  void note_last(uint64_t time);

  IndexFile *file() { return file_.get(); }
  void set_file(std::unique_ptr<IndexFile> file) { file_ = std::move(file); }
  // Adds damage of the recording that a worker has found.
  void add_damage(Recording::Damages &&damages);
  std::string damage() const;

  // Reads a page. If the page is damaged, read() returns false, and damaged() is true from then on.
  bool read(const SlicePage &page, std::vector<Slice> *slices);
  // Reads the state of a block, or the set of its functions; damage has the same effect.
  bool read(const IndexedBlock &block, std::vector<uint8_t> *state, std::vector<uint32_t> *set);
  bool damaged() const { return damaged_; }
  // The share of the recording that has been read; 1 only if it is complete.
  double progress() const;
  std::atomic<uint64_t> subbufs_read{0};
  std::atomic<bool> complete{false};

private:
  bool load_tables(std::span<const uint8_t> tables);
  void forget();

  Recording &recording_;
  FunctionNumbers functions_;
  uint64_t subbufs_ = 0; // number of sub-buffers of all streams
  uint64_t origin_ = 0;
  std::atomic<uint64_t> duration_{0};
  std::vector<std::unique_ptr<IndexedStream>> streams_;
  mutable std::mutex sums_lock_;
  std::vector<FunctionSums> sums_;
  mutable std::mutex damage_lock_; // for the recording's damage
  std::unique_ptr<IndexFile> file_;
  std::atomic<bool> damaged_{false};
};

} // namespace nophook
