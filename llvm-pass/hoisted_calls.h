// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that the optimizer has moved out of loops.

#ifndef NOPHOOK_LLVM_PASS_HOISTED_CALLS_H
#define NOPHOOK_LLVM_PASS_HOISTED_CALLS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook {

// Notes, at the start of the pipeline, the functions that each function calls in a loop.
class MarkLoopCallsPass : public llvm::PassInfoMixin<MarkLoopCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

// Writes the functions that call another one in no loop now, a line for each:
//
//   NAME<TAB>hoists<TAB>CALLEE
void write_hoisted_calls(const llvm::Module &module, llvm::raw_ostream &out);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_HOISTED_CALLS_H
