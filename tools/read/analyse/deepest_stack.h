// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How deep each thread's stack has been, and with which calls: the kernel's stack tracer, read off
// a recording of function_graph, whose entries tell where on the stack they are.

#pragma once

#include "read/steps/merge.h"

#include <vector>

namespace nophook {

struct DeepestStack {
  std::string comm;
  int32_t pid = 0;
  int32_t tid = 0;
  uint32_t process = 0;
  uint64_t tsc = 0; // of the innermost call's entry
  struct Call {
    uint32_t id;
    uint64_t depth; // bytes from the outermost call's entry to this one's, without our own frames
  };
  std::vector<Call> calls; // outermost first
  uint64_t bytes() const { return calls.empty() ? 0 : calls.back().depth; }
};

struct StackCrossing {
  uint64_t tsc;
  size_t thread; // index of a DeepestStack
  uint32_t id;
  uint64_t bytes;
};

struct StackDepths {
  std::vector<DeepestStack> threads;    // deepest first
  std::vector<StackCrossing> crossings; // each time a thread's stack grows beyond the limit
  Skipped skipped;
};

// Reads the whole recording. `limit`: 0, or bytes.
StackDepths read_stack_depths(Recording &recording, uint64_t limit);

} // namespace nophook
