// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places in code that a process's events name beside their functions: callers, the innermost
// first, and places at which marks and events made by text were written. Their names are shown, so
// a recording keeps them, unless there are too many.

#pragma once

#include <nophook/buffer.h>

#include <cstdint>
#include <span>
#include <unordered_set>

namespace nophook {

class SeenCallers {
public:
  static constexpr size_t kMost = 1 << 16; // a megabyte or two

  // Adds the callers in the words of a sub-buffer.
  void add(std::span<const uint64_t> words);

  const std::unordered_set<uint64_t> &addresses() const { return addresses_; }

private:
  void add_address(uint64_t address) {
    uint64_t &late = late_[address * 0x9e3779b97f4a7c15 >> (64 - kLateBits)];
    if (late == address || addresses_.size() >= kMost) [[likely]]
      return;
    late = address;
    addresses_.insert(address);
  }
  void add_mark(std::span<const uint64_t> words);

  static constexpr unsigned kLateBits = 9;
  uint64_t late_[1 << kLateBits] = {}; // the latest callers: nearly every caller has called before
  std::unordered_set<uint64_t> addresses_;
};

} // namespace nophook
