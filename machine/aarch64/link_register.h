// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check whether code reads its return address in AArch64's link register.
//
// At the entry of a function x30 is the return address. A function that has saved it uses x30 like
// any other register, and gcc does so in loops that need many. So not each use of x30 is a use of
// the return address. It is one only if the entry, or a place where x30 is restored, can reach it
// without a change of x30 in between.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace nophook::aarch64 {

class LinkRegister {
public:
  // An instruction. All have 4 bytes, so an instruction's number is its position in the code / 4.
  struct Step {
    bool surely_holds = false; // by the unwind table, x30 is the return address
    bool reads = false;        // it is neither a save nor a return
    enum After : uint8_t { kAsBefore, kLost, kBack } after = kAsBefore;
    bool falls_through = true;
    bool jumps_anywhere = false; // through a table
    std::optional<uint64_t> target;
  };

  void clear() { steps_.clear(); }
  void add(const Step &step) { steps_.push_back(step); }
  bool is_return_address_read() const;

private:
  std::vector<Step> steps_;
};

} // namespace nophook::aarch64
