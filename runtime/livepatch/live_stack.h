// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the version that is left may still be on a thread's stack.
//
// The kernel unwinds, and refuses a stack that it cannot unwind. There is no unwinder here: every
// word of the live stack is compared with the ranges of code that are left. A return address into
// them, or an interrupted program counter, is such a word. A leftover of an earlier call, or a
// pointer to such code, counts as well: it delays the thread and does no harm.

#pragma once

#include "base/memory.h"

#include <stdint.h>

// For tests: called by the driver in the middle of a look at a thread that sleeps. Its stack has
// been compared up to `address`.
extern void (*nophook_klp_looked_at)(int tid, uint64_t address);

namespace nophook {

// A range of code; `end` counts, since it is the return address of a call that does not return.
struct CodeRange {
  uint64_t start, end;
};

// Ranges that ascend and do not overlap.
class CodeRanges {
public:
  [[nodiscard]] bool add(CodeRange range) { return ranges_.push(range); }
  void seal(); // called when all have been added
  void clear() { ranges_.clear(); }
  const CodeRange *begin() const { return ranges_.begin(); }
  const CodeRange *end() const { return ranges_.end(); }
  bool contain(uint64_t word) const { return word - lowest_ <= highest_ - lowest_ && find(word); }

private:
  bool find(uint64_t word) const;

  Array<CodeRange> ranges_;
  uint64_t lowest_ = 1, highest_ = 0; // initially no address lies between them
};

struct Task;

// The record whose state the calling thread follows at `sp`: that of the registered fiber that it
// is on, else its own. A handler on an alternate stack follows the state of the code that it has
// interrupted. Safe in the trampoline.
Task *task_at(Task *thread, uint64_t sp);

// Whether a word of the live stacks lies in `left`, or may: the stack from `sp` on up to its base,
// and the stacks that a signal handler on an alternate stack, or a fiber that is not registered,
// has interrupted. `task` is that of task_at(). Safe in the trampoline: no libc, no lock, no vector
// register.
bool own_stack_has(Task *task, uint64_t sp, const CodeRanges &left);

// Whether another thread is proven to sleep outside of `left`, with no such word on its stack, or
// on that of `fiber` if it is on that one; null: it is on none that is registered. It has executed
// nothing during the proof.
bool sleeps_outside(int32_t tid, const Task *fiber, const CodeRanges &left);

// Whether nothing runs on the stack of `task`, or the thread that runs there sleeps, and no such
// word is on it. The result is valid for the time of the call only if the task's state is still the
// same. `word`, or null: gets such a word of a stack on which nothing runs.
bool is_outside(const Task *task, const CodeRanges &left, uint64_t *word);

// The same, valid for some moment of the call.
bool task_is_outside(const Task *task, const CodeRanges &left);

} // namespace nophook
