// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_INSTRUMENT_H
#define NOPHOOK_LLVM_PASS_INSTRUMENT_H

#include "compat.h"

#include "llvm/IR/PassManager.h"

namespace nophook {

// The pass: a site, a table entry and a descriptor for each function of the module.
class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(Lto lto) : lto_(lto) {}

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);

  // Runs at -O0 and on optnone functions as well.
  static bool isRequired() { return true; }

private:
  Lto lto_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_INSTRUMENT_H
