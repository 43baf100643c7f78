// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64, as the layers above see it. docs/porting.md explains each name.

#pragma once

#include "arch/x86_64/regs.h"

#ifndef __ASSEMBLER__

#include "arch/x86_64/encode.h"
#include "arch/x86_64/execute.h"
#include "arch/x86_64/handler_data.h"
#include "arch/x86_64/relocations.h"

namespace nophook {

// One list of names from several headers. All members are static, so nothing is derived here.
struct X86_64 : X86_64Encode, X86_64Execute, X86_64Signals, X86_64Relocations {
  using Regs = X86_64Regs;
  static constexpr uint32_t kX87Results = 2;   // st(0) and st(1)
  static constexpr uint64_t kMarkToFrame = 16; // trampolines.S
  static constexpr int64_t kMarkToSignature = 8;
  static constexpr uint32_t kRseqSignature = 0x53053053; // RSEQ_SIG of glibc's <sys/rseq.h>
  static constexpr uint32_t kMachine = 62;               // EM_X86_64 of the ELF specification
  // Always true: a call pushes the return address.
  static bool stores_return_address(uint64_t, long (*)(uint64_t, void *, uint64_t)) { return true; }
};
using Arch = X86_64;

} // namespace nophook

#endif // __ASSEMBLER__
