// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the filter's set, publishes the copy, and retires the former one.

#include "selection/published_filter.h"

#include <errno.h>

namespace nophook {

Status PublishedFilter::follow() {
  if (!lender_.state)
    return {};
  const Filter &filter = lender_.state->filter;
  FtraceHash *copy = nullptr;
  if (!filter.is_empty()) {
    copy = new_hash(id_limit());
    if (!copy)
      return failure(ENOMEM, "no memory for a filter");
    for (uint32_t word = 0; word < copy->ids / 64; word++)
      copy->words[word] = hash_word(filter.hash(), word);
  }
  FtraceHash *old = seen_;
  __atomic_store_n(&seen_, copy, __ATOMIC_RELEASE);
  retire(old);
  return {};
}

Status PublishedFilter::change(const char *text, uint64_t bytes, bool reset,
                               const char *separators) {
  Filter *filter, &changed = spare_filter();
  NOPHOOK_TRY(find(&filter));
  if (!reset)
    NOPHOOK_TRY(changed.copy(*filter));
  NOPHOOK_TRY(changed.change(text, bytes, reset, separators, Filter::Misses::kAllowed));
  return replace(&changed);
}

Status PublishedFilter::find(Filter **filter) {
  NOPHOOK_TRY(initialise_ops(&lender_, Role::kCallback));
  *filter = &lender_.state->filter;
  return {};
}

Status PublishedFilter::replace(Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(find(&filter));
  filter->swap(*changed);
  Status status = follow();
  if (!status.ok())
    filter->swap(*changed);
  return status;
}

void PublishedFilter::report_misses(const char *folder, const char *file) {
  if (lender_.state)
    lender_.state->filter.report_misses(folder, file);
}

} // namespace nophook
