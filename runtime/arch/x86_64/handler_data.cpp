// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A breakpoint on x86-64: int3 leaves rip behind its one byte.

#include "arch/x86_64/handler_data.h"

#include "arch/x86_64/encode.h"

#include <signal.h>
#include <ucontext.h>

namespace nophook {

static greg_t *registers(void *context) {
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
}

uint64_t X86_64Signals::trapped_at(const void *context) {
  return (uint64_t)static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP] - 1;
}

void X86_64Signals::execute_again(void *context) {
  registers(context)[REG_RIP] -= 1;
}

void X86_64Signals::emulate_insn(void *context, uint64_t at, uint64_t insn) {
  greg_t *regs = registers(context);
  if (X86_64Encode::is_nop_insn(insn)) {
    regs[REG_RIP] = (greg_t)(at + X86_64Encode::kSiteBytes);
    return;
  }
  if (X86_64Encode::is_call_insn(insn)) {
    // At the entry of a function nothing of the program is below rsp, and the signal frame
    // is beyond the red zone.
    regs[REG_RSP] -= 8;
    *reinterpret_cast<uint64_t *>(regs[REG_RSP]) = at + X86_64Encode::kSiteBytes;
  }
  regs[REG_RIP] = (greg_t)X86_64Encode::target_of(at, insn);
}

bool X86_64Signals::is_trap_insn(int si_code) {
  return si_code == SI_KERNEL;
}

} // namespace nophook
