// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a process's buffer at this moment, ring by ring. If the process is writing, a
// ring may be some events ahead of these numbers.

#pragma once

#include "process/drain/shared_buffer.h"

#include <vector>

namespace nophook {

struct RingStat {
  int32_t tid = 0;
  std::string comm;
  uint64_t events = 0;      // in the buffer now
  uint64_t bytes = 0;       // size of these events
  uint64_t lost = 0;        // events dropped for lack of room
  uint64_t overwritten = 0; // events overwritten by later ones
  uint32_t subbufs = 0;     // sub-buffers held now
  uint32_t begun = 0;       // sub-buffers begun so far
};

// Statistics of each ring that a thread has, or that still holds events.
std::vector<RingStat> ring_stats(SharedBuffer &buffer);

} // namespace nophook
