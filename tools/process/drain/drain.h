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
  // `say` gets lines for the person who traces.
  Drain(BufferSource &source, RecordingWriter &writer, std::function<void(const std::string &)> say)
      : source_(source), writer_(writer), say_(std::move(say)) {}

  // A process that was traced before, from now on, and if `session` its children with it (they are
  // for the source to find). False: another one reads its events.
  bool begin_anew(SharedBuffer buffer, uint64_t session);

  // Empties full sub-buffers; true if there were some.
  bool tick();

  // New buffers, log lines, modules, threads and processes that are gone. `all`: asks for
  // each process whether it is gone.
  void look_around(bool all);

  // A child of ours, with this number in our namespace, is known to be gone.
  void process_gone(int32_t pid);

  // Everything that is left, in processes that live on, too. Returns how many those were.
  uint32_t finish();

  // After finish(): processes that begin now shall not fill buffers that nobody will read.
  void discard_new_buffers();

  // Writers shall end; what they have written is still taken.
  void stop();

  const DrainTotals &totals() const { return totals_; }
  uint64_t lost_so_far() const;
  uint64_t events_so_far() const; // those that are still in buffers included
  // What processes have set aside: buffers of their own, which are left where they are.
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
