// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to text that is mapped read-only: makes the pages of a batch writable and gives back the
// protection that they had, or, where the kernel refuses that (MDWE, SELinux), writes through
// /proc/self/mem.
//
// The old protection is the mapping's at that moment, not the file's: a program that patches itself
// has made its text writable, another has taken away what it needed at its start.

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

// Access to text for the length of a batch.
class TextAccess {
public:
  TextAccess();
  ~TextAccess();
  TextAccess(const TextAccess &) = delete;
  TextAccess &operator=(const TextAccess &) = delete;

  // Adds the site at `ip`, which will be written to; addresses ascend. False without memory.
  [[nodiscard]] bool add(uint64_t ip) { return ip + Arch::kSiteBytes <= end_ || add_range(ip); }

  // Whether the text between the last site and `ip` is opened with it.
  bool is_near(uint64_t ip) const { return ip < segment_.end && ip < end_ + kMergeBytes; }

  // Makes the added text writable. Errors: EPERM, ENOMEM.
  Status open();

  // Whether an added site lies in text that is unmapped, or has no rights at all: it must not be
  // touched. Usually there is none.
  bool any_gone() const { return !gone_.empty(); }
  bool is_gone(uint64_t ip) const;

  // Whether a store of 8 bytes can be made in one piece. Through /proc/self/mem it cannot:
  // then only single bytes are changed atomically, and a site that is no aligned word takes the
  // trap way.
  bool direct() const { return mem_fd_ < 0; }

  // Each function returns whether the kernel accepted the write; direct writes cannot fail.
  [[nodiscard]] bool write8(uint8_t *at, uint8_t value);
  [[nodiscard]] bool write16(uint8_t *at, uint16_t value);
  // Writes the bytes of an instruction from the `first` one on; no thread executes them at that
  // time.
  [[nodiscard]] bool write_tail(uint8_t *ip, uint64_t insn, unsigned first);
  // Makes one aligned store where changes_one_word(). It needs direct access, unless sites are
  // aligned words (Arch::kStoresOnly), which the kernel writes in one piece.
  [[nodiscard]] bool store_insn(uint8_t *ip, uint64_t from, uint64_t to);

private:
  // Sites that are further apart than this get ranges of their own.
  static constexpr uint64_t kMergeBytes = 64 << 10;

  struct Range {
    uint64_t start;
    uint64_t end;
    int prot; // the protection outside of batches
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

  // Memory that is kept for the next batch. One array is enough, under the runtime's lock.
  static Array<Range> &kept_ranges(int which);

  Array<Range> &ranges_, &added_, &gone_;
  TextSegment segment_ = {}; // segment of the last site
  uint64_t end_ = 0;         // end of the last range
  int mem_fd_ = -1;
};

} // namespace nophook
