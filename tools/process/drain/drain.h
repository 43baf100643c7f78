// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All traced processes of one recording: finds their buffers, empties them in time, and notices
// when threads and processes have ended.
//
// It has two speeds. tick() only looks for full sub-buffers and may be called every 200 us.
// look_around() makes system calls for each thread or process, and is called some tens of times a
// second.

#pragma once

#include "process/drain/buffer_source.h"
#include "process/drain/lost_children.h"
#include "process/drain/process_drain.h"

#include <functional>
#include <memory>

namespace nophook {

class Drain {
public:
  // `say` gets lines for the user.
  Drain(BufferSource &source, RecordingWriter &writer, std::function<void(const std::string &)> say)
      : source_(source), writer_(writer), say_(std::move(say)) {}

  // Begins to record a process that was traced before, and its children if `session` (the source
  // finds them). False: another reader has the buffer.
  bool begin_anew(SharedBuffer buffer, uint64_t session);

  // Empties full sub-buffers; true if there were any.
  bool tick();

  // Takes new buffers, log lines and modules, and the rest of threads and processes that are gone.
  // `all`: asks for each process whether it is gone.
  void look_around(bool all);

  // A child of ours, with this number in our namespace, is known to be gone.
  void process_gone(int32_t pid);

  // Takes all remaining events, also of processes that live on. Returns the number of those.
  uint32_t finish();

  // After finish(): keeps processes that begin now from filling buffers that have no reader.
  void discard_new_buffers();

  // Makes writers stop; the events written so far are still taken.
  void stop();

  const DrainTotals &totals() const { return totals_; }
  uint64_t lost_so_far() const;
  uint64_t events_so_far() const; // including the ones that are still in buffers
  // Snapshots that processes have made: buffers of their own, which are left where they are.
  const std::vector<std::string> &snapshots() const { return snapshots_; }
  // Fork children that could not make a buffer.
  const LostChildren &lost_children() const { return lost_children_; }
  bool has_seen_buffers() const { return totals_.processes > 0; }

private:
  void find_buffers();
  template <class IsIt> void finish_all(IsIt is_it);
  void finish_one(size_t index, bool gone);
  void finish_image(const Owner &owner, uint64_t image);
  void record_lost_events_of_children();
  void say_lines(const std::string &lines);

  BufferSource &source_;
  RecordingWriter &writer_;
  std::function<void(const std::string &)> say_;
  DrainTotals totals_;
  std::vector<std::unique_ptr<ProcessDrain>> processes_;
  LostChildren lost_children_;
  std::vector<std::string> snapshots_;
  bool stopped_ = false;
};

} // namespace nophook
