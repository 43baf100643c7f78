// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose calling convention the optimizer has changed.

#ifndef NOPHOOK_LLVM_PASS_CONVENTIONS_H
#define NOPHOOK_LLVM_PASS_CONVENTIONS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook {

// At the start of the pipeline: notes how each function is called by its source.
class MarkConventionsPass : public llvm::PassInfoMixin<MarkConventionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

// Writes the functions that are called in another way now, a line each, with their IR type:
//
//   NAME<TAB>convention<TAB>i32 (i32, ptr byval)
void write_conventions(const llvm::Module &module, llvm::raw_ostream &out);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_CONVENTIONS_H
