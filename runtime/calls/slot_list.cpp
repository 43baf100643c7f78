// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sorted array of addresses; new ones are appended behind the sorted part.

#include "calls/slot_list.h"

#include "base/binary_search.h"
#include "base/sort.h"

namespace nophook {

void sort_slots(Array<uint64_t> &slots) {
  sort(slots.data(), slots.size(), [](uint64_t a, uint64_t b) { return a < b; });
}

void SlotList::sort() {
  sort_slots(slots_);
  sorted_ = slots_.size();
}

bool SlotList::holds(uint64_t slot) const {
  const uint64_t at = lower_bound(sorted_, [&](uint64_t i) { return slots_[i] < slot; });
  return at < sorted_ && slots_[at] == slot;
}

void SlotList::forget(const Module *module) {
  uint64_t kept = 0;
  for (uint64_t slot : slots_)
    if (slot < module->start || slot >= module->end)
      slots_[kept++] = slot;
  slots_.shrink(kept);
  sorted_ = kept;
}

void SlotList::clear() {
  slots_.clear();
  sorted_ = 0;
}

} // namespace nophook
