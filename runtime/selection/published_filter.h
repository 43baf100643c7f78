// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter that belongs to a rule, not to an ops. Callbacks read a copy of its set, which is
// replaced when the filter changes, or a library comes.
//
// An ops that is never registered lends the filter, so it learns of modules that come and go.

#pragma once

#include "ops/ops.h"

namespace nophook {

class PublishedFilter {
public:
  // Changes the filter, as Filter::change does; misses are allowed. On an error nothing has
  // changed.
  Status change(const char *text, uint64_t bytes, bool reset, const char *separators);
  // The filter, for a caller that edits a copy of it, and the function that replaces it by the
  // edited copy. Errors: ENOMEM; then nothing has changed.
  Status find(Filter **filter);
  Status replace(Filter *changed);
  // Follows modules that have been taken in.
  Status follow();
  void report_misses(const char *folder, const char *file);

  // Whether a filter has been set.
  bool is_set() const { return __atomic_load_n(&seen_, __ATOMIC_RELAXED); }
  // Whether the set has the function. In callbacks.
  bool has(uint32_t id) const { return hash_has(__atomic_load_n(&seen_, __ATOMIC_ACQUIRE), id); }

private:
  ftrace_ops lender_;
  FtraceHash *seen_;
};

} // namespace nophook
