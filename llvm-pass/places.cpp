// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the target's rules.

#include "places.h"

namespace nophook {

Lowering lowering_of(const llvm::Function &function, const llvm::TargetMachine &machine) {
  return machine.getTargetTriple().isAArch64() ? aarch64_lowering(function, machine)
                                               : x86_64_lowering(function, machine);
}

} // namespace nophook
