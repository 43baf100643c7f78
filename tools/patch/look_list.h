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
  uint64_t start, end; // the end is included
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
  // Code whose frames have addresses of bodies in them, which are no return addresses.
  std::vector<LookRange> ways;
};

// Parses the file's text. None: the runtime does not write such a text.
std::optional<LookList> parse_looks(std::string_view text);

// The index of the first frame that is in the code, or may be about to enter it; or none. `read`
// reads the stack as it was. A frame's memory that cannot be read counts as such code.
std::optional<size_t> frame_inside(const UnwoundStack &stack, const Look &look,
                                   const std::vector<LookRange> &ways, const ReadMemory &read);

// The check of a sleeping thread with unknown frames: returns the program counter, or the first
// word from `sp` up to `end`, that is in the code. None: there is no such word, or it cannot be
// read.
std::optional<uint64_t> word_inside(uint64_t pc, uint64_t sp, uint64_t end, const Look &look,
                                    const ReadMemory &read);

} // namespace nophook
