// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses points, and decides once for each function whether it is meant.

#include "show/latency/points.h"

#include "read/steps/marks.h"

#include <nophook/buffer.h>

#include <fnmatch.h>

namespace nophook {

bool KnownPoint::find(uint32_t process, uint32_t id) {
  std::lock_guard held(functions_.mutex());
  const bool is_named = functions_.matches(functions_.key(process, id), point_.glob());
  if (id >= 1u << NOPHOOK_ID_BITS) // the id of a damaged event
    return is_named;
  last_ = &known_[process];
  last_process_ = process;
  if (id >= last_->size())
    last_->resize(id + 1, kUnknown);
  (*last_)[id] = is_named ? kNamed : kOther;
  return is_named;
}

bool KnownPoint::is_at(const Step &step, uint32_t process, bool returns) {
  if (step.is_mark())
    return point_.is_mark() &&
           fnmatch(point_.glob().c_str(), mark_text(read_mark(step)).c_str(), 0) == 0;
  if (!step.is_of_call() || point_.is_mark() || step.kind == Step::kExitOnly)
    return false;
  bool is_end = step.shape == Step::kEnd || step.is_timed() || (step.is_leaf() && returns);
  return is_end == point_.is_return() && names(process, step.id);
}

} // namespace nophook
