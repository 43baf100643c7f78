// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that only its own file calls may be called in a way of its own: argument promotion
// passes what a pointer leads to instead of the pointer, and dead arguments and results are left
// out. Debug info shows the parameters of the source, and says nothing of the first.

#include "conventions.h"

#include "llvm/IR/Module.h"

namespace nophook {
namespace {

// Changes no code, and passes that change a function's type keep it.
constexpr llvm::StringLiteral kConventionKey = "nophook-convention";

std::string convention_of(const llvm::Function &function) {
  std::string text;
  llvm::raw_string_ostream out(text);
  function.getReturnType()->print(out, /*IsForDebug=*/false, /*NoDetails=*/true);
  out << " (";
  for (const llvm::Argument &argument : function.args()) {
    if (argument.getArgNo())
      out << ", ";
    argument.getType()->print(out, /*IsForDebug=*/false, /*NoDetails=*/true);
    for (const auto kind :
         {llvm::Attribute::ByVal, llvm::Attribute::StructRet, llvm::Attribute::InReg})
      if (argument.hasAttribute(kind))
        out << ' ' << llvm::Attribute::getNameFromAttrKind(kind);
  }
  if (function.isVarArg())
    out << (function.arg_empty() ? "..." : ", ...");
  out << ')';
  return text;
}

} // namespace

llvm::PreservedAnalyses MarkConventionsPass::run(llvm::Module &module,
                                                 llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(kConventionKey, convention_of(function));
  return llvm::PreservedAnalyses::all();
}

void write_conventions(const llvm::Module &module, llvm::raw_ostream &out) {
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kConventionKey))
      continue;
    const std::string now = convention_of(function);
    if (function.getFnAttribute(kConventionKey).getValueAsString() != now)
      out << function.getName() << "\tconvention\t" << now << '\n';
  }
}

} // namespace nophook
