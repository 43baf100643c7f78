// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seccomp filters that a process gives itself while it is recorded.
//
// OpenSSH's child sets such a filter before the login, and died: the filter kills for every call
// that it does not know. Events make calls of a short list now, which the filters of common
// sandboxes allow (docs/limits.md). For all other filters the recorder looks at /proc/TID/status,
// in the first looks at a thread and then in each tenth (is_look_due()). It judges a new filter if
// it may read it, which takes CAP_SYS_ADMIN and a stop of the thread.

#pragma once

#include "process/drain/shared_buffer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

class LaterFilters {
public:
  // Looks at some threads of the process in turn, among the rings below `ring_end`, and judges the
  // filters of one at most: in between, the recorder does its work. Returns why it must be traced
  // no longer, as a clause; empty: no reason is known.
  std::string look(SharedBuffer &buffer, uint32_t ring_end);

private:
  struct Known {
    int32_t tid = 0;
    uint32_t looks = 0;
    std::string judged; // seccomp_fields() at that time
  };
  std::vector<Known> by_ring_;
  uint32_t turn_ = 0; // index of the next ring
};

} // namespace nophook
