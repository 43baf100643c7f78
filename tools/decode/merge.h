// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a recording, one after the other or merged by time.
//
// Each thread has its own Timeline; the merge holds one step of each and always gives out the
// earliest. Memory does not grow with the recording.

#pragma once

#include "decode/timeline.h"
#include "recording/reader.h"

#include <memory>
#include <vector>

namespace nophook {

// A thread's part of the recording while it is read.
class Thread {
public:
  Thread(Recording &recording, uint32_t stream);
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;

  uint32_t stream() const { return stream_; }
  uint32_t process() const { return process_; }
  int32_t pid() const { return pid_; }
  int32_t tid() const { return tid_; }
  std::string comm() const; // printable

  Timeline &timeline() { return timeline_; }

private:
  bool next_words(Timeline::Words *words);

  Recording &recording_;
  const RecordedStream &recorded_;
  size_t at_ = 0;
  uint32_t stream_;
  uint32_t process_;
  int32_t pid_ = 0;
  int32_t tid_ = 0;
  Timeline timeline_;
};

class Merge {
public:
  // Of all threads, or of those that are wanted.
  using Wanted = std::function<bool(const Thread &)>;
  explicit Merge(Recording &recording, const Wanted &wanted = nullptr);

  // The next step of all threads in the order of time; false at the end.
  bool next(Thread **thread, Step *step);

  // Words of all streams that made no sense.
  uint64_t skipped() const;

private:
  struct Ahead {
    Step step;
    Thread *thread;
  };
  static bool later(const Ahead &a, const Ahead &b);
  void refill(Thread *thread);

  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Ahead> heap_;
};

} // namespace nophook
