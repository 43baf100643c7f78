// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many events are in a process's buffer that have not been taken out of it: what a slow program
// has called, or one whose last events alone are kept. A sub-buffer is counted from where the last
// count has ended, so that it may be asked several times a second.

#pragma once

#include "drain/shared_buffer.h"

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
    uint32_t words = 0; // so many
    uint64_t events = 0;
  };
  std::vector<Counted> counted_; // by sub-buffer
};

} // namespace nophook
