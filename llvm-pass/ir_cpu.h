// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_IR_CPU_H
#define NOPHOOK_LLVM_PASS_IR_CPU_H

#include "llvm-pass/places.h"

#include "nophook/prototype.h"

namespace nophook {

// The properties of a CPU that the plugin asks for. Each folder of machine/ has them as `kIr`;
// docs/porting.md explains each name.
struct IrCpu {
  llvm::Triple::ArchType arch;

  // The value of `patchable-function-entry` for a site; empty: none for such a target of this CPU.
  llvm::StringRef (*site_units)(const llvm::Triple &triple);

  Lowering (*lowering)(const llvm::Function &function, const llvm::TargetMachine &machine);

  // Bytes of stack arguments above the return address when `function` is entered: never less than
  // the back end will use, a multiple of 8. No value: function_graph's frame cannot honour its
  // calling convention.
  std::optional<uint64_t> (*stack_bytes)(const llvm::Function &function,
                                         const llvm::TargetMachine &machine);

  nophook_kind long_double;
};

// Null: the CPU is not known.
const IrCpu *ir_cpu(const llvm::Triple &triple);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_IR_CPU_H
