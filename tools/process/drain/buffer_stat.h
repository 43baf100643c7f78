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
  uint64_t bytes = 0;       // that they take
  uint64_t lost = 0;        // no room was free
  uint64_t overwritten = 0; // by later ones
  uint32_t subbufs = 0;     // held now
  uint32_t begun = 0;       // so far
};

// Rings that a thread has, or that events are left of.
std::vector<RingStat> ring_stats(SharedBuffer &buffer);

} // namespace nophook
