// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a site's trampoline calls: the kernel's second level of hooks.
//
//      the ops' own function     one ops, which handles recursion and vector registers itself
//      ftrace_ops_assist_func    one ops, for which the runtime handles them
//      ftrace_ops_list_func      several ops, or a tracer beside them
//
// The kernel generates a trampoline for an ops that is alone on a site. Ours reads the function
// from a table, after it has announced itself to grace periods. So there is no code to free, and a
// late thread calls the function that is current then.

#pragma once

#include "base/status.h"
#include "ops/ops.h"
#include "ops/thread_sanitizer.h"

namespace nophook {

// Makes room in nophook_calls for all functions. Errors: ENOMEM.
Status reserve_calls();

// A call of `ops` alone; null without memory. Freed only after a grace period.
Call *new_call(ftrace_ops *ops);
void free_call(Call *call);

// The call of all ops that want the function.
Call *list_call();

inline void set_call(uint32_t id, Call *call) {
  call_is_set();
  __atomic_store_n(&nophook_calls[id], call, __ATOMIC_RELEASE);
}

// Removes the call of a function that no callback wants any more. Before the first callback there
// is no table.
inline void drop_call(uint32_t id) {
  if (nophook_calls && nophook_calls[id])
    set_call(id, nullptr);
}

// The threads that ops with FTRACE_OPS_FL_PID see. `*old` may have readers: free it after a grace
// period. Errors: EINVAL, ENOMEM.
struct Pids;
Status set_pids(const int *pids, uint32_t count, Pids **old);
void free_pids(Pids *pids);

extern "C" {
void ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip, ftrace_ops *ignored,
                          ftrace_regs *regs);
void ftrace_ops_assist_func(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops,
                            ftrace_regs *regs);
}

} // namespace nophook
