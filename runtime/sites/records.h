// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dyn_ftrace: one record for each site, 9 bytes, sorted by address, in 4 KiB pages.
//
// The kernel's record is an address and flags, 16 bytes. A page of ours keeps the first address
// once and 32-bit distances to it; the flags keep the kernel's first layout (29 bits of reference
// count, three of state), and newer bits have a byte of their own:
//
//      page   +0     base       address of the page's first site
//             +8     count      records in this page
//             +12    first      index of its first record within the module
//             +16    offset[453], flags[453], state[453]
//
// Source of the semantics: Documentation/trace/ftrace.rst, include/linux/ftrace.h.

#pragma once

#include "arch/arch.h"
#include "base/bytes.h"

#include <stdint.h>

namespace nophook {

// Bits of `flags`.
constexpr uint32_t kFtraceRefMask = (1u << 29) - 1; // number of callbacks that want the function
constexpr uint32_t kFtraceEnabled = 1u << 29;       // the site is a call or jump now
constexpr uint32_t kFtraceRegs = 1u << 30;          // a callback wants all registers
constexpr uint32_t kFtraceRegsEn = 1u << 31;        // the callback gets all registers

// Bits of `state`.
using SiteState = uint8_t;
constexpr SiteState kStateTouched = 1; // the site has been enabled at least once
// The function has been redirected, or called directly, at least once.
constexpr SiteState kStateModified = 2;
constexpr SiteState kStateNopGas = 4; // its NOP was gas's form, not clang's
// The site is a call that was kept: not patched, see ops/static_calls.h.
constexpr SiteState kStateCall = 8;
constexpr SiteState kStateSite = 0xf0; // the site's present kind, a Site of ops/update.h; 0: off
constexpr unsigned kStateSiteShift = 4;
// The last kind of site: foreign bytes, left alone while they are there.
constexpr SiteState kStateForeign = kStateSite;
inline bool is_foreign(SiteState state) {
  return (state & kStateSite) == kStateForeign;
}

// The instruction of a site while it is off.
inline uint64_t nop_of(SiteState state) {
  return state & kStateNopGas ? Arch::kNopGas : Arch::kNopClang;
}

constexpr uint32_t kRecordsPerPage = (kPageBytes - 16) / (2 * sizeof(uint32_t) + sizeof(SiteState));

struct RecordPage {
  uint64_t base;
  uint32_t count;
  uint32_t first;
  uint32_t offset[kRecordsPerPage];
  uint32_t flags[kRecordsPerPage];
  SiteState state[kRecordsPerPage];
};
static_assert(sizeof(RecordPage) <= kPageBytes);

// The records of one module, in consecutive pages.
class Records {
public:
  // Builds the records of `count` ascending distances from `bias`. False without memory, or
  // if two neighbours in a page lie more than 4 GiB apart.
  [[nodiscard]] bool build(uint64_t bias, const uint32_t *offsets, uint32_t count);
  void release();

  uint32_t count() const { return count_; }
  uint32_t page_count() const { return page_count_; }

  uint64_t ip(uint32_t index) const {
    const RecordPage &p = page(index);
    return p.base + p.offset[index % kRecordsPerPage];
  }
  uint32_t &flags(uint32_t index) { return page(index).flags[index % kRecordsPerPage]; }
  SiteState &state(uint32_t index) { return page(index).state[index % kRecordsPerPage]; }

  // All fields of a record, for a single division.
  struct Record {
    uint64_t ip;
    uint32_t &flags;
    SiteState &state;
  };
  Record at(uint32_t index) const {
    RecordPage &p = page(index);
    uint32_t i = index % kRecordsPerPage;
    return {p.base + p.offset[i], p.flags[i], p.state[i]};
  }

  // Access in ascending order, mostly without that division.
  class Walk {
  public:
    explicit Walk(const Records &records) : records_(&records) {}
    Record at(uint32_t index) {
      if (!page_ || index - page_->first >= kRecordsPerPage)
        page_ = &records_->page(index);
      uint32_t i = index - page_->first;
      return {page_->base + page_->offset[i], page_->flags[i], page_->state[i]};
    }

  private:
    const Records *records_;
    RecordPage *page_ = nullptr;
  };

  // Calls visit(index, ip, flags, state) for each record, ascending; a page at a time, which
  // saves the division that each accessor above makes.
  template <class Visit> void each(Visit visit) {
    for (uint32_t p = 0; p < page_count_; p++) {
      RecordPage &page = *reinterpret_cast<RecordPage *>(pages_ + (uint64_t)p * kPageBytes);
      for (uint32_t i = 0; i < page.count; i++)
        visit(page.first + i, page.base + page.offset[i], page.flags[i], page.state[i]);
    }
  }

  // Index of the first record at or above `ip`; count() if there is none.
  uint32_t lower_bound(uint64_t ip) const;

private:
  RecordPage &page(uint32_t index) const {
    return *reinterpret_cast<RecordPage *>(pages_ +
                                           (uint64_t)(index / kRecordsPerPage) * kPageBytes);
  }

  char *pages_ = nullptr;
  uint32_t page_count_ = 0;
  uint32_t count_ = 0;
};

} // namespace nophook
