// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks and sorts the records of a module's prototypes.

#include "capture/prototype_table.h"

#include "base/binary_search.h"
#include "base/sort.h"

#include <errno.h>

namespace nophook {

// The record at `at` if it is whole and of a kind from `kind` or, of the first version, `linked`;
// its trailing elements are the caller's to check.
template <class T>
const T *PrototypeTable::record(uint64_t at, uint32_t kind, uint32_t linked) const {
  if (at % 4 || at < start_ || at > stop_ || stop_ - at < sizeof(T))
    return nullptr;
  const auto *found = reinterpret_cast<const T *>(at);
  uint64_t bytes = NOPHOOK_HEAD_BYTES(found->head);
  const uint32_t found_kind = NOPHOOK_HEAD_RECORD(found->head);
  bool is_whole =
      (found_kind == kind || found_kind == linked) && bytes >= sizeof(T) && bytes <= stop_ - at;
  return is_whole ? found : nullptr;
}

// The type record at `at` if it is whole with all its members, and with its id if it has one.
const nophook_type *PrototypeTable::whole_type(uint64_t at) const {
  const auto *found = record<nophook_type>(at, NOPHOOK_RECORD_TYPE, NOPHOOK_RECORD_LINKED_TYPE);
  if (!found)
    return nullptr;
  const bool has_id = NOPHOOK_HEAD_RECORD(found->head) == NOPHOOK_RECORD_TYPE;
  const uint64_t bytes = sizeof(*found) + found->members * sizeof(nophook_member) +
                         (has_id ? NOPHOOK_TYPE_ID_BYTES : 0);
  return bytes <= NOPHOOK_HEAD_BYTES(found->head) ? found : nullptr;
}

Status PrototypeTable::read(Module *module) {
  TableBounds bounds = module_prototypes(module);
  start_ = bounds.start;
  stop_ = bounds.stop;
  sorted_.clear();
  types_.clear();
  for (uint64_t at = start_; at < stop_ && stop_ - at >= 4;) {
    uint32_t head = *reinterpret_cast<const uint32_t *>(at);
    uint64_t bytes = NOPHOOK_HEAD_BYTES(head);
    if (bytes < 4 || bytes % 4 || bytes > stop_ - at)
      break;
    const auto *found =
        record<nophook_prototype>(at, NOPHOOK_RECORD_PROTOTYPE, NOPHOOK_RECORD_LINKED_PROTOTYPE);
    if (found &&
        sizeof(*found) + found->parameters * sizeof(nophook_parameter) +
                found->pieces * sizeof(nophook_piece) <=
            bytes &&
        !sorted_.push(found))
      return failure(ENOMEM, "no memory for prototypes");
    if (NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_TYPE)
      if (const nophook_type *type = whole_type(at); type && !types_.push({id_of(type), type}))
        return failure(ENOMEM, "no memory for types");
    at += bytes;
  }
  sort(types_.data(), types_.size(),
       [](const NamedType &a, const NamedType &b) { return (uint32_t)a.id < (uint32_t)b.id; });
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

uint64_t PrototypeTable::id_of(const nophook_type *type) {
  const auto *id = reinterpret_cast<const uint32_t *>(members(type) + type->members);
  return id[0] | (uint64_t)id[1] << 32;
}

const nophook_type *PrototypeTable::type(const int32_t &link) const {
  if (!link)
    return nullptr;
  if (!NOPHOOK_IS_TYPE_ID(link))
    return whole_type(reinterpret_cast<uint64_t>(&link) + (uint64_t)(int64_t)link);
  const auto id = (uint32_t)link;
  uint64_t i = lower_bound(types_.size(), [&](uint64_t n) { return (uint32_t)types_[n].id < id; });
  const NamedType *found = nullptr;
  for (; i < types_.size() && (uint32_t)types_[i].id == id; i++) {
    if (found && found->id != types_[i].id)
      return nullptr;
    found = &types_[i]; // copies of one type are equal
  }
  return found ? found->type : nullptr;
}

} // namespace nophook
