// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seccomp filters that a process gives itself while it is recorded.
//
// OpenSSH's child does so before the login, and died: its filter kills for every call that it does
// not know. Events make calls of a short list now, which the filters of common sandboxes let
// through (docs/limits.md). For all other filters the recorder looks at /proc/TID/status, in the
// first looks at a thread and then in each tenth (is_look_due()), and judges a new filter if it may
// read it, which takes CAP_SYS_ADMIN and a stop of the thread.

#pragma once

#include "process/drain/shared_buffer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

class LaterFilters {
public:
  // Looks at some threads of the process in turn, as far as the rings below `ring_end` have them,
  // and judges the filters of one at most: in between, the recorder does its work.
  // Why it must be traced no longer, a clause about it; empty: nothing is known against it.
  std::string look(SharedBuffer &buffer, uint32_t ring_end);

private:
  struct Known {
    int32_t tid = 0;
    uint32_t looks = 0;
    std::string judged; // its seccomp_fields() then
  };
  std::vector<Known> by_ring_;
  uint32_t turn_ = 0; // the ring that is next
};

} // namespace nophook
