// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the page of a slot for each store, and gives its protection back.

#include "calls/slots.h"

#include "base/bytes.h"
#include "base/log.h"
#include "base/memory.h"

namespace nophook {

bool SlotAccess::open(uint64_t page) {
  if (page_ == page)
    return true;
  close();
  Mapping mapping;
  if (mappings_.find(page, &mapping) != Mappings::Answer::kFound || !(mapping.prot & PROT_READ))
    return false;
  if (!(mapping.prot & PROT_WRITE)) {
    if (sys_failed(sys(SYS_mprotect, page, kPageBytes, mapping.prot | PROT_WRITE)))
      return false;
    prot_ = mapping.prot;
  }
  page_ = page;
  return true;
}

void SlotAccess::close() {
  if (page_ && prot_ >= 0 && sys_failed(sys(SYS_mprotect, page_, kPageBytes, prot_)))
    log_line("the kernel refuses to make a page of addresses of functions read-only again");
  page_ = 0;
  prot_ = -1;
}

bool SlotAccess::exchange(uint64_t slot, uint64_t from, uint64_t to) {
  if (slot % sizeof(uint64_t) || !open(round_down(slot, kPageBytes)))
    return false;
  // Release: a thread that jumps to a stub finds its target. Pairs with the dependency of the jump.
  return __atomic_compare_exchange_n(reinterpret_cast<uint64_t *>(slot), &from, to, false,
                                     __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

} // namespace nophook
