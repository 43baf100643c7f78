// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a recording, one after the other or merged by time.
//
// Each thread has its own Timeline; the merge holds one step of each and always gives out the
// earliest. Memory does not grow with the recording.

#pragma once

#include "read/recording/reader.h"
#include "read/steps/timeline.h"

#include <memory>
#include <vector>

namespace nophook {

// A thread's part of the recording while it is read; or of a buffer that is in use.
class Thread {
public:
  Thread(Recording &recording, uint32_t stream);
  // Notes damage in `damages`, so that threads can be read at the same time.
  Thread(const Recording &recording, uint32_t stream, Recording::Damages *damages);
  Thread(uint32_t stream, int32_t pid, int32_t tid, Timeline::Source source)
      : stream_(stream), pid_(pid), tid_(tid), timeline_(std::move(source)) {}
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;

  uint32_t stream() const { return stream_; }
  uint32_t process() const { return process_; }
  int32_t pid() const { return pid_; }
  int32_t tid() const { return tid_; }
  std::string comm() const; // printable
  const char *raw_comm() const { return timeline_.comm(); }

  Timeline &timeline() { return timeline_; }

  // Behind the last event whose steps have all been given out (Timeline::taken).
  const uint64_t *place() const { return place_; }
  void note_place() { place_ = timeline_.taken(); }

private:
  using Load = std::function<bool(const RecordedStream::Subbuf &, SubbufView *)>;
  Thread(const Recording &recording, uint32_t stream, Load load);

  uint32_t stream_;
  uint32_t process_ = 0;
  int32_t pid_ = 0;
  int32_t tid_ = 0;
  const uint64_t *place_ = nullptr;
  Timeline timeline_;
};

class Merge {
public:
  // Merges all threads, or those that are wanted.
  using Wanted = std::function<bool(const Thread &)>;
  explicit Merge(Recording &recording, const Wanted &wanted = nullptr);

  // Merges threads that are added one by one, and whose events arrive one by one.
  Merge() = default;
  Thread &add(std::unique_ptr<Thread> thread); // without a step before look_again()
  // Those that had no more step may have some now.
  void look_again();

  // The next step of all threads in the order of time; false at the end.
  bool next(Thread **thread, Step *step);

  // After that: the calls that are still open, thread by thread, as Timeline::next_open() has them.
  bool next_open(Thread **thread, Step *step);

  std::vector<const Thread *> threads() const;
  Skipped skipped() const; // sum over all streams

private:
  struct Slot { // a thread and its next step
    std::unique_ptr<Thread> thread;
    Step step;
  };
  struct Ahead { // the key of the order, so that steps stay where they are
    uint64_t tsc;
    Slot *slot;
  };
  static bool later(const Ahead &a, const Ahead &b);
  static bool refill(Slot *slot);
  void sink();

  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Ahead> heap_;
  std::vector<Slot *> idle_; // without a next step
  size_t closing_ = 0;       // index in slots_ of the thread with the next open call
};

} // namespace nophook
