// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "capture/prototype_table.h"

#include "base/binary_search.h"
#include "base/sort.h"

#include <errno.h>

namespace nophook {

// The record at `at` if it is whole; its trailing elements are the caller's to check.
template <class T> const T *PrototypeTable::record(uint64_t at, uint32_t kind) const {
  if (at % 4 || at < start_ || at > stop_ || stop_ - at < sizeof(T))
    return nullptr;
  const auto *found = reinterpret_cast<const T *>(at);
  uint64_t bytes = NOPHOOK_HEAD_BYTES(found->head);
  bool is_whole =
      NOPHOOK_HEAD_RECORD(found->head) == kind && bytes >= sizeof(T) && bytes <= stop_ - at;
  return is_whole ? found : nullptr;
}

Status PrototypeTable::read(Module *module) {
  TableBounds bounds = module_prototypes(module);
  start_ = bounds.start;
  stop_ = bounds.stop;
  sorted_.clear();
  for (uint64_t at = start_; at < stop_ && stop_ - at >= 4;) {
    uint32_t head = *reinterpret_cast<const uint32_t *>(at);
    uint64_t bytes = NOPHOOK_HEAD_BYTES(head);
    if (bytes < 4 || bytes % 4 || bytes > stop_ - at)
      break;
    const auto *found = record<nophook_prototype>(at, NOPHOOK_RECORD_PROTOTYPE);
    if (found &&
        sizeof(*found) + found->parameters * sizeof(nophook_parameter) +
                found->pieces * sizeof(nophook_piece) <=
            bytes &&
        !sorted_.push(found))
      return failure(ENOMEM, "no memory for prototypes");
    at += bytes;
  }
  sort(sorted_.data(), sorted_.size(), [](const nophook_prototype *a, const nophook_prototype *b) {
    return a->id_low < b->id_low;
  });
  return {};
}

const nophook_prototype *PrototypeTable::find(uint32_t id_low) const {
  uint64_t i = lower_bound(sorted_.size(), [&](uint64_t n) { return sorted_[n]->id_low < id_low; });
  const nophook_prototype *found = nullptr;
  for (; i < sorted_.size() && sorted_[i]->id_low == id_low; i++) {
    if (found && found->id_high != sorted_[i]->id_high)
      return nullptr;
    found = sorted_[i]; // copies of one prototype are equal
  }
  return found;
}

const nophook_type *PrototypeTable::type(const int32_t &link) const {
  if (!link)
    return nullptr;
  uint64_t at = reinterpret_cast<uint64_t>(&link) + (uint64_t)(int64_t)link;
  const auto *found = record<nophook_type>(at, NOPHOOK_RECORD_TYPE);
  if (!found ||
      sizeof(*found) + found->members * sizeof(nophook_member) > NOPHOOK_HEAD_BYTES(found->head))
    return nullptr;
  return found;
}

} // namespace nophook
