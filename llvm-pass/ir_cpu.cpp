// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm-pass/ir_cpu.h"
#include "machine/cpus.h"

namespace nophook {

#define ROW(cpu)                                                                                   \
  namespace cpu {                                                                                  \
  extern const IrCpu kIr;                                                                          \
  }
NOPHOOK_CPUS(ROW)
#undef ROW

const IrCpu *ir_cpu(const llvm::Triple &triple) {
#define ROW(cpu) &cpu::kIr,
  for (const IrCpu *cpu : {NOPHOOK_CPUS(ROW)})
#undef ROW
    if (cpu->arch == triple.getArch())
      return cpu;
  return nullptr;
}

} // namespace nophook
