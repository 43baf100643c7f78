// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to words of a GOT. RELRO has made most of them read-only: the page is opened for the
// store and closed again, while other threads call through its slots.
//
// A thread that loads a slot gets the old address or the new one, and both are right. Page by page,
// since a GOT is a page or two; a store that the kernel does not allow is not made.

#pragma once

#include "base/mappings.h"

#include <stdint.h>

namespace nophook {

class SlotAccess {
public:
  SlotAccess() = default;
  ~SlotAccess() { close(); }
  SlotAccess(const SlotAccess &) = delete;
  SlotAccess &operator=(const SlotAccess &) = delete;

  // Whether the slot can be read.
  bool can_read(uint64_t slot) { return mappings_.can_read(slot, sizeof(uint64_t)); }

  // Stores `to` if the slot holds `from`. False: it holds another value now, or its page cannot be
  // written.
  [[nodiscard]] bool exchange(uint64_t slot, uint64_t from, uint64_t to);

private:
  bool open(uint64_t page);
  void close();

  Mappings mappings_;
  uint64_t page_ = 0; // the page that is open
  int prot_ = -1;     // its former protection; -1: it was writable
};

} // namespace nophook
