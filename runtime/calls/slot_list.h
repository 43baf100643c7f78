// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of some slots, of all modules.

#pragma once

#include "base/memory.h"
#include "sites/module.h"

namespace nophook {

class SlotList {
public:
  // Makes room for `more` addresses, which append() needs. False: there is no memory.
  [[nodiscard]] bool reserve(uint64_t more) { return slots_.reserve(slots_.size() + more); }

  // Appends an address out of order, so that holds() does not find it until sort().
  void append(uint64_t slot) { slots_.append(slot); }
  void sort();
  bool holds(uint64_t slot) const;

  // Drops the slots of an unloaded module.
  void forget(const Module *module);
  void clear();

  uint64_t size() const { return slots_.size(); }
  const uint64_t *begin() const { return slots_.begin(); }
  const uint64_t *end() const { return slots_.end(); }

private:
  Array<uint64_t> slots_;
  uint64_t sorted_ = 0; // number of the first addresses, which ascend
};

void sort_slots(Array<uint64_t> &slots);

} // namespace nophook
