// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A breakpoint on AArch64: BRK leaves the program counter at itself.

#include "arch/aarch64/handler_data.h"

#include "arch/aarch64/encode.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

namespace nophook {

static mcontext_t &registers(void *context) {
  return static_cast<ucontext_t *>(context)->uc_mcontext;
}

uint64_t AArch64Signals::trapped_at(const void *context) {
  return static_cast<const ucontext_t *>(context)->uc_mcontext.pc;
}

void AArch64Signals::execute_again(void *) {}

void AArch64Signals::emulate_insn(void *context, uint64_t at, uint64_t insn) {
  mcontext_t &regs = registers(context);
  if (AArch64Encode::is_call_insn(insn))
    regs.regs[30] = at + AArch64Encode::kSiteBytes;
  regs.pc = AArch64Encode::is_branch_insn(insn) ? AArch64Encode::target_of(at, insn)
                                                : at + AArch64Encode::kSiteBytes;
}

bool AArch64Signals::is_trap_insn(int si_code) {
  return si_code == TRAP_BRKPT;
}

// The layout that is_signal_frame() relies on.
static_assert(offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, sp) == 54 * 8);
static_assert(offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, __reserved) == 58 * 8);

} // namespace nophook
