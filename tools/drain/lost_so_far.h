// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's lost events as sub-buffer headers count them, over clearings. A ring's count begins
// anew when the buffer is cleared (nophook/buffer.h), and who reads on would take the difference of
// two headers, one before and one behind it, for what was lost between them: too little, or nothing
// at all. Here the count goes on.

#pragma once

#include <nophook/buffer.h>

#include <algorithm>

namespace nophook {

class LostSoFar {
public:
  // What was lost until now of all that a reader has been told; `cleared` is the buffer's.
  uint64_t before(uint64_t cleared) const { return cleared == cleared_ ? before_ : most_; }

  // What the header of a sub-buffer that has not been read tells, whatever the order they come in.
  // What was lost before a clearing in its middle is cleared, too.
  uint64_t at(const nophook_subbuf &header, uint64_t cleared) {
    before_ = before(cleared);
    cleared_ = cleared;
    if (header.time_base < cleared)
      return before_;
    most_ = std::max(most_, before_ + header.lost);
    return before_ + header.lost;
  }

private:
  uint64_t cleared_ = 0; // the last one that was seen
  uint64_t before_ = 0;  // lost until then
  uint64_t most_ = 0;
};

} // namespace nophook
