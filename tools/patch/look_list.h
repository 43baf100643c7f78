// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control file livepatch/looks: which code must not be on which threads' stacks
// (runtime/tracefs/livepatch_looks.cpp), and whether a stack is outside of it.

#pragma once

#include "process/stop/unwound_stack.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nophook {

struct LookRange {
  uint64_t start, end; // the end counts
  bool contains(uint64_t address) const { return address >= start && address <= end; }
};

struct Look {
  struct Thread {
    int32_t tid;
    uint64_t state;
  };
  uint64_t number;
  std::vector<LookRange> code;
  std::vector<Thread> threads;
};

struct LookList {
  std::vector<Look> looks;
  // Code that has addresses of bodies in its frames, which are no return addresses.
  std::vector<LookRange> ways;
};

// None: the text is not what the runtime writes.
std::optional<LookList> parse_looks(std::string_view text);

// The first frame that is in the code, or may be about to enter it; its index, or none.
// `read`: the stack as it was. Memory of a frame that cannot be read counts as such code.
std::optional<size_t> frame_inside(const UnwoundStack &stack, const Look &look,
                                   const std::vector<LookRange> &ways, const ReadMemory &read);

// For a thread that sleeps and whose frames are unknown: the program counter, or the first word
// from `sp` up to `end`, that is in the code. None: there is none, or it cannot be read.
std::optional<uint64_t> word_inside(uint64_t pc, uint64_t sp, uint64_t end, const Look &look,
                                    const ReadMemory &read);

} // namespace nophook
