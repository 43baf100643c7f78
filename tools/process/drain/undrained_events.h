// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of events in a process's buffer that have not been drained: of a slow program, or of a
// flight recorder. Counting a sub-buffer continues where the last call ended, so it can be called
// several times a second.

#pragma once

#include "process/drain/shared_buffer.h"

#include <cstdint>
#include <vector>

namespace nophook {

class UndrainedEvents {
public:
  uint64_t count(const SharedBuffer &buffer);

private:
  struct Counted {
    uint64_t seq = ~uint64_t{0};
    uint32_t ring = ~0u;
    uint32_t words = 0; // number of words counted
    uint64_t events = 0;
  };
  std::vector<Counted> counted_; // by sub-buffer
};

} // namespace nophook
