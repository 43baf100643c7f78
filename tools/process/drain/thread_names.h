// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of a process's threads. A thread reports its name when it begins a sub-buffer. So a
// name that it gives itself at its start was seen 4,060 events later, and then the thread had two
// names. In a sandbox it reports none (runtime's base/few_calls.h). So the recorder reads
// /proc/PID/task/TID/comm: when it first sees a thread, at the looks of its first second, and then
// at each tenth look. A thread that ends in between keeps the name that was seen last. A name that
// was never seen is the program's, and is marked so (read/recording/thread_name.h).

#pragma once

#include "process/drain/shared_buffer.h"
#include "read/recording/parts.h"
#include "read/recording/writer.h"

#include <string>
#include <vector>

namespace nophook {

// The thread's name now; empty: it has ended, its process executes another program by now, or
// /proc does not show it. After a program has executed itself, this is the name of the second
// image's thread.
std::string name_of_thread(SharedBuffer &buffer, int32_t tid);

// Whether the process, whose folder in /proc this is, still executes the program that made the
// buffer.
bool executes_the_same(const SharedBuffer &buffer, const std::string &folder);
// Whether names are read at the look of this number: in the first looks, and then at each tenth.
constexpr bool is_look_due(uint32_t looks) {
  constexpr uint32_t kEarlyLooks = 10;
  return looks < kEarlyLooks || looks % kEarlyLooks == 0;
}

class ThreadNames {
public:
  ThreadNames(RecordingWriter &writer, uint32_t process) : writer_(writer), process_(process) {}

  // Reads the names of new threads, and at timed looks also the other threads'.
  enum class When { kNew, kTimed, kLast };
  void look(SharedBuffer &buffer, When when);

  // From now on, the thread's events are in this stream of the recording.
  void stream_begins(SharedBuffer &buffer, uint32_t ring, int32_t tid, uint32_t stream);

private:
  struct Known {
    int32_t tid = 0;
    uint32_t stream = ~0u;
    uint32_t looks = 0;
    std::string name;                            // the last one seen
    std::vector<RecordedStream::Name> unwritten; // names seen before the stream began
  };

  // The ring's thread, whose name is read if it is new.
  Known &known(SharedBuffer &buffer, uint32_t ring, int32_t tid);
  void read(SharedBuffer &buffer, Known &known);
  void write(Known &known);

  RecordingWriter &writer_;
  uint32_t process_;
  std::vector<Known> by_ring_; // up to behind the highest ring that was in use
};

} // namespace nophook
