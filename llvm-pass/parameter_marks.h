// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The connection between IR arguments and the source's parameters.

#ifndef NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H
#define NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>

namespace nophook {

// The part of a source parameter that an IR argument holds.
struct ParameterMark {
  unsigned number = 0;     // number as in DILocalVariable: the first parameter is 1
  uint64_t at = 0;         // first byte of the parameter's value
  bool is_address = false; // whether the argument is the address of the value
};

// The shape of a function before the optimizer: the number of IR arguments of each source
// parameter, and the return value.
struct SourceShape {
  llvm::SmallVector<unsigned, 8> arguments; // number of IR arguments, by number - 1
  uint64_t result_at = 0;                   // first byte of the value that the IR returns
  std::string result;                       // IR type, printed
};

std::optional<ParameterMark> parameter_mark(const llvm::Argument &argument);
std::optional<SourceShape> source_shape(const llvm::Function &function);

// Marks the arguments, in the IR as clang makes it. Only once for a function.
void mark_parameters(llvm::Function &function);

// The source parameters in debug info, by their number - 1; null where it has none.
llvm::SmallVector<const llvm::DILocalVariable *, 8>
source_parameters(const llvm::Function &function);

std::string text_of(const llvm::Type *type);
// The text of a type without the name of a structure, and without one of a single member: passes
// that look at each member of a result leave these out.
std::string members_text_of(const llvm::Type *type);

// Calls mark_parameters for each function, at the start of the pipeline.
class MarkParametersPass : public llvm::PassInfoMixin<MarkParametersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H
