// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the stack at each entry, and copies the calls of the deepest one. One thread copies
// at a time.

#include "tracers/stack_tracer.h"

#include "base/lock.h"
#include "base/own_identity.h"
#include "base/pause.h"
#include "ops/adopt.h"
#include "ops/ops.h"
#include "ops/thread.h"

#include <errno.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

constexpr uint64_t kMaxDepth = 1 << 30;

ftrace_ops g_ops;
uint64_t g_first_top; // top of the first thread's stack
int32_t g_first_tid;  // number of the first thread; a fork child has another one
uint64_t g_deepest;   // the greatest depth so far; read by all, written by the holder of g_busy
// Whether a thread copies. It is only tried, so that a handler does not wait for its own thread.
uint32_t g_busy;
DeepestStack g_stack;

uint64_t top_of_stack() {
  if (this_thread()->tid == g_first_tid)
    return g_first_top;
  return reinterpret_cast<uint64_t>(__builtin_thread_pointer());
}

void measure(unsigned long ip, unsigned long, ftrace_ops *, ftrace_regs *regs) {
  uint64_t top = top_of_stack(), depth = top - regs->general.entry_sp();
  if (depth <= __atomic_load_n(&g_deepest, __ATOMIC_RELAXED) || depth > kMaxDepth ||
      __atomic_exchange_n(&g_busy, 1, __ATOMIC_ACQUIRE))
    return;
  if (depth > g_deepest) {
    g_stack.count = 0;
    walk_stack(
        ip, regs, kMaxStackSteps,
        [](void *stack, const StackStep &step) {
          auto *to = static_cast<DeepestStack *>(stack);
          to->steps[to->count++] = step;
        },
        &g_stack);
    g_stack.top = top;
    g_stack.bytes = depth;
    __atomic_store_n(&g_deepest, depth, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&g_busy, 0, __ATOMIC_RELEASE);
}

// A scope in which no thread changes the stack that is kept.
class Hold {
public:
  Hold() {
    while (__atomic_exchange_n(&g_busy, 1, __ATOMIC_ACQUIRE))
      pause_briefly();
  }
  ~Hold() { __atomic_store_n(&g_busy, 0, __ATOMIC_RELEASE); }
};

// Releases it in a child: a thread of the parent may have held it.
void release_in_child(bool) {
  g_busy = 0;
}

Status start() {
  NOPHOOK_TRY(adopt_modules());
  if (!at_fork_child(release_in_child))
    return failure(ENOMEM, "no memory for the handlers of fork");
  g_first_tid = process_id();
  g_first_top = getauxval(AT_RANDOM);
  g_ops.func = measure;
  g_ops.flags |=
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(initialise_ops(&g_ops, Role::kCallback));
  return add_ops(&g_ops);
}

} // namespace

bool stack_tracer_is_on() {
  return g_ops.flags & FTRACE_OPS_FL_ENABLED;
}

Status switch_stack_tracer(bool on) {
  {
    RuntimeLock lock;
    if (on == stack_tracer_is_on())
      return {};
    if (g_ops.flags & FTRACE_OPS_FL_REMOVING)
      return failure(EBUSY, "another thread is switching the stack tracer off");
    if (on)
      return start();
  }
  return unregister_and_wait(&g_ops);
}

DeepestStack deepest_stack() {
  Hold hold;
  return g_stack;
}

void reset_deepest_stack(uint64_t bytes) {
  Hold hold;
  g_stack = {};
  g_stack.bytes = bytes;
  __atomic_store_n(&g_deepest, bytes, __ATOMIC_RELAXED);
}

Status stack_filter(Filter **filter) {
  NOPHOOK_TRY(initialise_ops(&g_ops, Role::kCallback));
  *filter = &g_ops.state->filter;
  return {};
}

Status replace_stack_filter(Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(stack_filter(&filter));
  filter->swap(*changed);
  Status status = refilter(&g_ops);
  if (!status.ok())
    filter->swap(*changed);
  return status;
}

} // namespace nophook
