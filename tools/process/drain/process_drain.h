// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves one process's events from its shared buffer into the recording.
//
//   drain()           FULL sub-buffers: write, zero, give back
//   reclaim_threads() threads that have ended: their remaining events, then their rings
//   finish()          the process has ended, or the recording ends: all remaining events
//
// A sub-buffer goes from the shared mapping straight into the file. It is never given back
// before it is written and zeroed, so an event is lost only by the writer, which counts it.

#pragma once

#include "process/drain/drain_totals.h"
#include "process/drain/held_subbufs.h"
#include "process/drain/later_filters.h"
#include "process/drain/lost_so_far.h"
#include "process/drain/recorded_modules.h"
#include "process/drain/thread_names.h"
#include "process/drain/undrained_events.h"
#include "process/drain/words.h"
#include "read/recording/writer.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

class ProcessDrain {
public:
  ProcessDrain(SharedBuffer buffer, RecordingWriter &writer, DrainTotals &totals);

  Owner &owner() { return buffer_.owner(); }
  int32_t pid() const { return buffer_.pid(); }
  uint64_t image() const { return buffer_.header().image; }
  const std::string &path() const { return buffer_.path(); }

  // True if there was something to do.
  bool drain();

  void reclaim_threads();

  // Modules that the process has listed since the last time.
  void read_modules() { modules_.read(buffer_); }

  // Stops a process that a later seccomp filter would kill for its events. Returns a line about
  // that, which also goes into the recording; empty: no filter would.
  std::string judge_filters();

  // New lines of the log, which also go into the recording.
  std::string read_log();

  uint64_t cleared() const { return buffer_.cleared(); } // events before this time do not count
  void stop() { buffer_.stop(); }

  // Drops the old events of a process that was traced before, and starts the flow of new ones.
  // `session`: the header's. False: another reader has the buffer.
  bool begin_anew(uint64_t session);

  // Events that the totals do not contain yet: lost ones, and ones not taken.
  uint64_t lost_now() const;
  uint64_t undrained() { return undrained_.count(buffer_); }

  // `gone`: all threads have ended. Otherwise active sub-buffers are copied as they are.
  void finish(bool gone);

private:
  struct Ring {
    uint32_t stream = ~0u;
    int32_t tid = 0;
    LostSoFar lost;
    uint64_t events = 0;  // number of recorded events since the clearing `clears`
    uint64_t written = 0; // number of written ones up to the last of them, by their sub-buffers
    uint32_t clears = 0;
  };

  void describe();
  void look_at_command(bool is_last);
  bool take_full(uint32_t index, bool owner_gone);
  void take_active(uint32_t index);
  void take_left(uint32_t index, int32_t tid);
  bool write_copy(nophook_subbuf *subbuf);
  bool copy_living(const HeldSubbuf &held);
  void copy_living_rings();
  bool write(nophook_subbuf header, nophook_subbuf *memory, uint32_t used, uint32_t events);
  bool append(const nophook_subbuf &header, const nophook_subbuf *memory, uint32_t used,
              uint32_t events);
  bool write_rest(nophook_subbuf header, const nophook_subbuf *memory, uint32_t used);
  uint64_t take_before(nophook_subbuf *memory, uint32_t used) const;
  void begin_stream(Ring *ring, int32_t tid);
  Ring &ring_of(const nophook_subbuf &header);
  uint64_t lost_of(uint32_t ring) const;
  uint64_t overwritten_of(uint32_t ring, bool gone) const;
  void count_lost(uint32_t ring, int32_t tid, uint64_t lost, uint64_t overwritten);

  SharedBuffer buffer_;
  std::vector<std::string> command_; // the words of its command line
  uint32_t looks_ = 0;
  RecordingWriter &writer_;
  DrainTotals &totals_;
  uint32_t index_;
  std::vector<Ring> rings_;
  std::unordered_map<uint32_t, uint64_t>
      least_overwritten_; // by ring, for a writer before version 6
  uint32_t ring_end_ = 0; // behind the highest ring that has been seen in use
  uint32_t crowded_ = 0;  // rounds with few sub-buffers free
  SeenFunctions seen_;
  SeenCallers callers_;
  RecordedModules modules_;
  ThreadNames names_;
  LaterFilters later_filters_;
  bool is_forbidden_ = false; // whether a filter forbids tracing
  uint32_t log_offset_ = 0;
  UndrainedEvents undrained_;
};

} // namespace nophook
