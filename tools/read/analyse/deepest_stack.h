// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The depth of each thread's stack, and the calls that made it so deep: the kernel's stack tracer,
// read off a recording of function_graph, whose entries have their places on the stack.

#pragma once

#include "read/select/step_filter.h"

#include <vector>

namespace nophook {

struct DeepestStack {
  std::string comm;
  int32_t pid = 0;
  int32_t tid = 0;
  uint32_t process = 0;
  uint64_t tsc = 0; // time of the innermost call's entry
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
  std::vector<StackCrossing> crossings; // one for each time that a stack grows beyond the limit
  Skipped skipped;
};

// Reads the whole recording, or the calls that `filter` chooses if it is not null. `limit`: bytes;
// 0: no limit.
StackDepths read_stack_depths(Recording &recording, StepFilter *filter, uint64_t limit);

} // namespace nophook
