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
  // Prepares the counts, before the first function of the profiler is enabled; the buffer is open.
  // Counts without times begin at 0; counts with times continue, unless the last ones had none.
  // Errors: ENOMEM, ENOSYS.
  Status prepare(Buffer &buffer, bool has_times);
  bool has_times() const { return !counts_only_; }

  // The sums of the counts over the threads, by function id. Errors: ENOMEM.
  Status sum(Array<nophook_counts> *sums) const;
  // Sets all counts to 0, while the profiler is off.
  void reset();
  // Removes the counts and their file; called when the instance is removed, before its buffer is,
  // and no callback counts any more.
  void finish_leaving();

  // The calling thread's counts, with a row for `id`, in callbacks of an instance. Null: there is
  // no room, or it is a fork child.
  Profile *counts_of_thread(uint32_t id);

  // The same, for the slow path of the top level's fast path.
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
  bool counts_only_; // whether the tracer that counted last had no times
};

// Sets the least duration of a call that the top level counts. 0: all are counted.
void set_profile_thresh(uint64_t ticks);

} // namespace nophook
