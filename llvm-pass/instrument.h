// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that instruments a module.

#ifndef NOPHOOK_LLVM_PASS_INSTRUMENT_H
#define NOPHOOK_LLVM_PASS_INSTRUMENT_H

#include "compat.h"
#include "options.h"

#include "llvm/IR/PassManager.h"

namespace nophook {

// The pass: a site, a table entry and a descriptor for each selected function of the module.
class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  InstrumentPass(Lto lto, Options options) : lto_(lto), options_(std::move(options)) {}

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);

  // Prints the parameters that -passes= reads.
  void printPipeline(llvm::raw_ostream &out,
                     llvm::function_ref<llvm::StringRef(llvm::StringRef)> name_of_class);

  // Runs at -O0 and on optnone functions as well.
  static bool isRequired() { return true; }

private:
  llvm::PreservedAnalyses instrument(llvm::Module &module);

  Lto lto_;
  Options options_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_INSTRUMENT_H
