// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building and searching the pages of dyn_ftrace records.

#include "sites/records.h"

#include "base/binary_search.h"
#include "base/memory.h"

namespace nophook {

bool Records::build(uint64_t bias, const uint32_t *offsets, uint32_t count) {
  page_count_ = (count + kRecordsPerPage - 1) / kRecordsPerPage;
  pages_ = static_cast<char *>(map_pages((uint64_t)page_count_ * kPageBytes));
  if (!pages_)
    return false;
  count_ = count;
  for (uint32_t i = 0; i < count; i++) {
    RecordPage &p = page(i);
    uint32_t slot = i % kRecordsPerPage;
    if (slot == 0) {
      p.base = bias + offsets[i];
      p.first = i;
    }
    p.offset[slot] = (uint32_t)(bias + offsets[i] - p.base);
    p.count = slot + 1;
  }
  return true;
}

void Records::release() {
  unmap_pages(pages_, (uint64_t)page_count_ * kPageBytes);
  pages_ = nullptr;
  page_count_ = count_ = 0;
}

uint32_t Records::lower_bound(uint64_t wanted) const {
  return (uint32_t)nophook::lower_bound(count_,
                                        [&](uint64_t i) { return ip((uint32_t)i) < wanted; });
}

} // namespace nophook
