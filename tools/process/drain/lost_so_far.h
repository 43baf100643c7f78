// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's lost events as sub-buffer headers count them, across clearings. A ring's count
// restarts at 0 when the buffer is cleared (nophook/buffer.h). The difference of two headers, one
// before and one after the clearing, would be too small, or 0. Here the count continues.

#pragma once

#include <nophook/buffer.h>

#include <algorithm>

namespace nophook {

class LostSoFar {
public:
  // The lost events that a reader has seen so far; `cleared` is the buffer's.
  uint64_t before(uint64_t cleared) const { return cleared == cleared_ ? before_ : most_; }

  // Adds the header of a sub-buffer that has not been read; the order does not matter. Losses
  // before a clearing in its middle are cleared, too.
  uint64_t at(const nophook_subbuf &header, uint64_t cleared) {
    before_ = before(cleared);
    cleared_ = cleared;
    if (header.time_base < cleared)
      return before_;
    most_ = std::max(most_, before_ + header.lost);
    return before_ + header.lost;
  }

private:
  uint64_t cleared_ = 0; // time of the last clearing that was seen
  uint64_t before_ = 0;  // lost events before it
  uint64_t most_ = 0;
};

} // namespace nophook
