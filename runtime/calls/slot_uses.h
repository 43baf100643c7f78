// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uses of a module's GOT slots in its code in memory, to find slots that are for calls alone
// (nophook/got_uses.h).
//
// The code is read once, when calls are asked for, and only if the module has such slots that its
// records do not exclude. Sites are NOPs or jumps, neither of which looks like a use.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "sites/module.h"

namespace nophook {

class SlotUses {
public:
  // Scans the module for `slots`, which ascend and are used until the object is destroyed. Errors:
  // ENOMEM.
  Status read(Module *module, const Array<uint64_t> &slots);

  uint8_t of(uint64_t slot) const; // uses of a slot, an enum nophook_got_use

private:
  struct Range {
    uint64_t start, end;
  };
  Status read_ranges(Module *module);
  static int is_described(const void *uses, uint64_t address);

  const Array<uint64_t> *slots_ = nullptr;
  Array<uint8_t> uses_;
  Array<Range> described_; // ranges of described code, ascending
};

} // namespace nophook
