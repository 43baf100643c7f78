// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function profiler: counts of calls and their times by function and thread, with no events.
// The counts are in a file (nophook/profile.h), so that they survive the process.

#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <nophook/profile.h>

namespace nophook {

struct Buffer;
struct Profile;

// The profiler of one trace_array. The top level counts by its fast path, an instance by callbacks
// (tracers/profile_callbacks.cpp). All is under the runtime's lock but the counts of a thread.
class Profiler {
public:
  // Before the first function of the profiler is enabled; the buffer is open. Counts without times
  // begin at 0; those with times go on, unless the last ones had none. Errors: ENOMEM, ENOSYS.
  Status prepare(Buffer &buffer, bool has_times);
  bool has_times() const { return !counts_only_; }

  // What has been counted so far, added up over the threads, by function id. Errors: ENOMEM.
  Status sum(Array<nophook_counts> *sums) const;
  // Everything is 0 again; while the profiler is off.
  void reset();
  // The instance goes, before its buffer does, and no callback counts any more: its counts and
  // their file go.
  void finish_leaving();

  // In callbacks of an instance: the calling thread's counts, `id` among them. Null: there is no
  // room, or it is a fork child.
  Profile *counts_of_thread(uint32_t id);

  // The slow path of the top level's fast path: the same.
  Profile *counts_of_top(uint32_t id);

private:
  struct Block;
  struct Blocks;
  class BlocksLock;

  void *map_block(uint64_t bytes);
  Block *inherit_block(uint32_t ids, uint32_t looks, int32_t mine);
  Block *new_block(uint32_t ids);
  bool is_refused();
  Profile *take_block(uint32_t id, Profile **mine);
  Profile *begin_block(uint32_t id, Profile **mine);

  Buffer *buffer_;
  Blocks *blocks_;   // null: nothing has been counted so far
  bool counts_only_; // of the tracer that counted last
};

// No call that lasts less is counted by the top level. 0: all are.
void set_profile_thresh(uint64_t ticks);

} // namespace nophook
