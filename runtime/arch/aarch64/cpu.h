// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64, as the layers above see it. docs/porting.md explains each name.

#pragma once

#include "arch/aarch64/regs.h"
#include "arch/aarch64/thunk.h"

#ifndef __ASSEMBLER__

#include "arch/aarch64/encode.h"
#include "arch/aarch64/execute.h"
#include "arch/aarch64/handler_data.h"
#include "arch/aarch64/relocations.h"

namespace nophook {

// One list of names from several headers. All members are static, so nothing is derived here.
struct AArch64 : AArch64Encode, AArch64Execute, AArch64Signals, AArch64Relocations {
  using Regs = AArch64Regs;
  static constexpr uint32_t kX87Results = 0;
  static constexpr uint64_t kMarkToFrame = 8; // trampolines.S
  static constexpr int64_t kMarkToSignature = -8;
  static constexpr uint32_t kRseqSignature = 0xd428bc00; // RSEQ_SIG of glibc's <sys/rseq.h>
  static constexpr uint32_t kMachine = 183;              // EM_AARCH64 of the ELF specification
  static bool stores_return_address(uint64_t pc, long (*read)(uint64_t, void *, uint64_t));
};
using Arch = AArch64;

} // namespace nophook

#endif // __ASSEMBLER__
