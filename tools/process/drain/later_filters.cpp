// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the Seccomp lines of each thread's status with the last ones that were judged.

#include "process/drain/later_filters.h"

#include "foundation/file.h"
#include "process/drain/thread_names.h"
#include "process/stop/needed_calls.h"
#include "process/stop/seccomp_filter.h"
#include "process/stop/stopped_thread.h"

#include <algorithm>

namespace nophook {
namespace {

constexpr uint32_t kThreadsAtOnce = 8; // a stop of each takes 30 us

// False: the thread sleeps, or cannot be stopped. A sleeping thread writes no event.
bool read_filters_of(const std::string &folder, std::vector<SeccompFilter> *filters) {
  bool are_read = false;
  const int32_t tid = number_of_thread(folder);
  // A failure is ignored: the next look comes soon.
  (void)look_at_thread(
      tid, folder, [&](const ThreadRegisters &) { are_read = read_filters(tid, filters) == 0; });
  return are_read;
}

} // namespace

std::string LaterFilters::look(SharedBuffer &buffer, uint32_t ring_end) {
  by_ring_.resize(std::max<size_t>(by_ring_.size(), ring_end));
  uint32_t read = 0;
  for (uint32_t i = 0; i < ring_end && read < kThreadsAtOnce; i++) {
    const uint32_t ring = turn_++ % ring_end;
    Known &known = by_ring_[ring];
    const int32_t tid = buffer.ring_tid(ring);
    if (known.tid != tid)
      known = {tid, 0, {}};
    const std::string folder =
        tid && is_look_due(++known.looks) ? buffer.owner().thread_folder(tid) : "";
    if (folder.empty())
      continue;
    read++;
    const std::string fields = seccomp_fields(read_small_file(folder + "status"));
    if (is_unfiltered(fields) || known.judged == fields)
      continue;
    if (is_strict(fields))
      return kWhyStrict;
    std::vector<SeccompFilter> filters;
    if (!may_read_filters() || !read_filters_of(folder, &filters))
      continue;
    known.judged = fields;
    return why_events_kill(filters);
  }
  return "";
}

} // namespace nophook
