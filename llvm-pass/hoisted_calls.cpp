// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop calls a function again and again, and a live patch of that function has no effect: the
// compiler has seen that the function reads no memory, calls it once in front of the loop and keeps
// the answer. The caller's code is the same in both versions, so nothing in the objects shows it.
// The loop of the source is in the IR at the start of the pipeline, and the call in front of it at
// its end.

#include "hoisted_calls.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace nophook {
namespace {

// Changes no code. The names are between line ends, which no name has.
constexpr llvm::StringLiteral kLoopCallsKey = "nophook-loop-calls";

struct Calls {
  llvm::StringSet<> in_loops, all;
};

// The calls of functions that this module has.
Calls calls_of(const llvm::Function &function) {
  Calls calls;
  for (auto at = llvm::scc_begin(&function); !at.isAtEnd(); ++at)
    for (const llvm::BasicBlock *block : *at)
      for (const llvm::Instruction &instruction : *block) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || callee->isDeclaration())
          continue;
        calls.all.insert(callee->getName());
        if (at.hasCycle())
          calls.in_loops.insert(callee->getName());
      }
  return calls;
}

} // namespace

llvm::PreservedAnalyses MarkLoopCallsPass::run(llvm::Module &module,
                                               llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    std::string names;
    for (const auto &call : calls_of(function).in_loops)
      names += call.getKey().str() + "\n";
    if (!names.empty())
      function.addFnAttr(kLoopCallsKey, names);
  }
  return llvm::PreservedAnalyses::all();
}

void write_hoisted_calls(const llvm::Module &module, llvm::raw_ostream &out) {
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kLoopCallsKey))
      continue;
    const Calls now = calls_of(function);
    llvm::SmallVector<llvm::StringRef> names;
    function.getFnAttribute(kLoopCallsKey)
        .getValueAsString()
        .split(names, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (const llvm::StringRef name : names)
      if (now.all.contains(name) && !now.in_loops.contains(name))
        out << function.getName() << "\thoists\t" << name << '\n';
  }
}

} // namespace nophook
