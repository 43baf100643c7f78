// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that callbacks call: struct ftrace_regs, recursion.
// They run anywhere, before vector registers are saved: no libc, no lock.

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include "arch/callback_path.h"
#include "ops/recursion.h"

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

NOPHOOK_API unsigned long ftrace_regs_get_argument(ftrace_regs *regs, unsigned int n) {
  if (n < kArgumentRegisters)
    return regs->general.at(Arch::Regs::kArguments[n]);
  return reinterpret_cast<const unsigned long *>(
      regs->general.stack_arguments())[n - kArgumentRegisters];
}

NOPHOOK_API unsigned long ftrace_regs_get_stack_pointer(ftrace_regs *regs) {
  return regs->general.entry_sp();
}

NOPHOOK_API unsigned long ftrace_regs_get_instruction_pointer(ftrace_regs *regs) {
  return regs->general.continues_at();
}

NOPHOOK_API void ftrace_regs_set_instruction_pointer(ftrace_regs *regs, unsigned long ip) {
  regs->general.continue_at(ip);
}

NOPHOOK_API unsigned long ftrace_regs_get_return_value(ftrace_regs *regs) {
  return regs->general.result();
}

NOPHOOK_API void ftrace_regs_set_return_value(ftrace_regs *regs, unsigned long value) {
  regs->general.set_result(value);
}

NOPHOOK_API void ftrace_override_function_with_return(ftrace_regs *regs) {
  regs->general.continue_at(reinterpret_cast<uint64_t>(nophook_just_return));
}

NOPHOOK_API pt_regs *ftrace_get_regs(ftrace_regs *regs) {
  return regs->has_all ? reinterpret_cast<pt_regs *>(&regs->general) : nullptr;
}

// The owner of these locks: all users share one context each, as in the kernel.
static const char g_trylock = 0;

NOPHOOK_API int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip) {
  uint32_t index;
  uint64_t place = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  return enter_lock(&g_trylock, place, ip, parent_ip, &index) ? (int)index : -1;
}

NOPHOOK_API void ftrace_test_recursion_unlock(int bit) {
  if (bit >= 0)
    leave_callback((uint32_t)bit);
}
