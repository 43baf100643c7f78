// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "latency/points.h"

#include "print/marks.h"

#include <fnmatch.h>

namespace nophook {

bool KnownPoint::names(uint32_t process, uint32_t id) {
  auto [at, is_new] = named_.try_emplace((uint64_t)process << 32 | id);
  if (is_new) {
    std::lock_guard held(functions_.mutex());
    at->second = functions_.matches(functions_.key(process, id), point_.glob());
  }
  return at->second;
}

bool KnownPoint::is_at(const Step &step, uint32_t process, bool returns) {
  if (step.kind == Step::kMark)
    return point_.is_mark() &&
           fnmatch(point_.glob().c_str(), read_mark(step.arguments).text.c_str(), 0) == 0;
  if (step.kind == Step::kLost || point_.is_mark() ||
      (step.kind == Step::kClose && !step.has_start))
    return false;
  bool is_end = step.kind == Step::kClose || (step.kind == Step::kLeaf && returns);
  return is_end == point_.is_return() && names(process, step.id);
}

} // namespace nophook
