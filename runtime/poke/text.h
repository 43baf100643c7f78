// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to text that is mapped read-only: makes the pages of a batch writable and gives back the
// protection that they had, or, where the kernel refuses that (MDWE, SELinux), writes through
// /proc/self/mem.
//
// What they had is what their mapping has at that moment, not what the file says: a program that
// patches itself has made its text writable, another has taken away what it needed at its start.

#pragma once

#include "arch/arch.h"
#include "base/mappings.h"
#include "base/memory.h"
#include "base/status.h"
#include "poke/poke.h"
#include "sites/module.h"

namespace nophook {

// Makes pages of ours, written and not in use yet, executable and no longer writable. Where
// the kernel lets no memory become executable (PR_SET_MDWE), new memory takes their place. False:
// it refuses that, too; their contents are undefined then.
[[nodiscard]] bool make_executable(void *pages, uint64_t bytes);

// Open for the length of a batch.
class TextAccess {
public:
  TextAccess();
  ~TextAccess();
  TextAccess(const TextAccess &) = delete;
  TextAccess &operator=(const TextAccess &) = delete;

  // That the site at `ip` will be written to; they ascend. False without memory.
  [[nodiscard]] bool add(uint64_t ip) { return ip + Arch::kSiteBytes <= end_ || add_range(ip); }

  // Whether what lies between the last site and `ip` is opened with it.
  bool is_near(uint64_t ip) const { return ip < segment_.end && ip < end_ + kMergeBytes; }

  // Makes what has been added writable. Errors: EPERM, ENOMEM.
  Status open();

  // Whether a site that was added lies in text that is not there any more, or has no rights at all:
  // it must not be touched. Most of the time there is none.
  bool any_gone() const { return !gone_.empty(); }
  bool is_gone(uint64_t ip) const;

  // Whether a store of 8 bytes can be made in one piece. Through /proc/self/mem it cannot:
  // then only single bytes are changed atomically, and a site that is no aligned word takes the
  // trap way.
  bool direct() const { return mem_fd_ < 0; }

  // Each returns whether the kernel took it; direct writes cannot fail.
  [[nodiscard]] bool write8(uint8_t *at, uint8_t value);
  [[nodiscard]] bool write16(uint8_t *at, uint16_t value);
  // The bytes of an instruction from the `first` one on; no thread executes them at that time.
  [[nodiscard]] bool write_tail(uint8_t *ip, uint64_t insn, unsigned first);
  // One aligned store where changes_one_word(). It needs direct access, unless sites are aligned
  // words (Arch::kStoresOnly), which the kernel writes in one piece.
  [[nodiscard]] bool store_insn(uint8_t *ip, uint64_t from, uint64_t to);

private:
  // Sites that are further apart than this get ranges of their own.
  static constexpr uint64_t kMergeBytes = 64 << 10;

  struct Range {
    uint64_t start;
    uint64_t end;
    int prot; // what it has outside of batches
  };
  bool add_range(uint64_t ip);
  bool are_as_linked() const;
  bool read_rights();
  bool split(const Range &range, Mappings &mappings);
  static long open_huge(Range &range);
  static long open_range(Range &range);
  bool open_ranges();
  void close_ranges(uint64_t count);
  bool write_mem(const void *at, const void *bytes, uint64_t size);

  // Memory that is kept for the next batch: under the runtime's lock there is one.
  static Array<Range> &kept_ranges(int which);

  Array<Range> &ranges_, &added_, &gone_;
  TextSegment segment_ = {}; // of the last site
  uint64_t end_ = 0;         // of the last range
  int mem_fd_ = -1;
};

} // namespace nophook
