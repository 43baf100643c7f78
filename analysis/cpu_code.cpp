// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/cpu_code.h"
#include "machine/cpus.h"

#include "llvm/Support/ErrorHandling.h"

#define ROW(cpu)                                                                                   \
  namespace nophook::cpu {                                                                         \
  extern const analysis::CpuCode kCode;                                                            \
  }
NOPHOOK_CPUS(ROW)
#undef ROW

namespace nophook::analysis {

const CpuCode &cpu_code(const Machine &machine) {
#define ROW(cpu) &cpu::kCode,
  for (const CpuCode *code : {NOPHOOK_CPUS(ROW)})
#undef ROW
    if (&code->machine == &machine)
      return *code;
  llvm_unreachable("a CPU of machine/ has no kCode");
}

} // namespace nophook::analysis
