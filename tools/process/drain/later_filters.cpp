// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/drain/later_filters.h"

#include "foundation/file.h"
#include "process/stop/needed_calls.h"
#include "process/stop/seccomp_filter.h"
#include "process/stop/stopped_thread.h"

namespace nophook {
namespace {

constexpr uint32_t kThreadsAtOnce = 8; // 30 us each

// False: the thread sleeps, or cannot be stopped. One that sleeps writes no event.
bool read_filters_of(const std::string &folder, std::vector<SeccompFilter> *filters) {
  bool are_read = false;
  const int32_t tid = number_of_thread(folder);
  // Whatever stands against the look, the next one comes soon.
  (void)look_at_thread(
      tid, folder, [&](const ThreadRegisters &) { are_read = read_filters(tid, filters) == 0; });
  return are_read;
}

} // namespace

std::string LaterFilters::look(SharedBuffer &buffer, uint32_t ring_end) {
  for (uint32_t i = 0; i < kThreadsAtOnce && i < ring_end; i++) {
    const int32_t tid = buffer.ring_tid(turn_++ % ring_end);
    const std::string folder = tid ? buffer.owner().thread_folder(tid) : "";
    if (folder.empty())
      continue;
    const std::string fields = seccomp_fields(read_small_file(folder + "status"));
    if (is_unfiltered(fields) || judged_[tid] == fields)
      continue;
    if (is_strict(fields))
      return kWhyStrict;
    std::vector<SeccompFilter> filters;
    if (!may_read_filters() || !read_filters_of(folder, &filters))
      continue;
    judged_[tid] = fields;
    return why_events_kill(filters);
  }
  return "";
}

} // namespace nophook
