// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H
#define NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>

namespace nophook {

// Which part of which source parameter an IR argument brings.
struct ParameterMark {
  unsigned number = 0;     // as in DILocalVariable: the first one is 1
  uint64_t at = 0;         // first byte of the parameter's value
  bool is_address = false; // the argument is the address of the value
};

// What a function looked like before the optimizer: the IR arguments of each source parameter,
// counted, and the return value.
struct SourceShape {
  llvm::SmallVector<unsigned, 8> arguments; // [number - 1]
  uint64_t result_at = 0;                   // first byte of the value that the IR returns
  std::string result;                       // IR type, printed
};

std::optional<ParameterMark> parameter_mark(const llvm::Argument &argument);
std::optional<SourceShape> source_shape(const llvm::Function &function);

// Reads the IR as clang makes it and marks the arguments. Only once for a function.
void mark_parameters(llvm::Function &function);

// The source parameters: as found in debug info, by their number - 1; null where it says nothing.
llvm::SmallVector<const llvm::DILocalVariable *, 8>
source_parameters(const llvm::Function &function);

std::string text_of(const llvm::Type *type);
// The same without the name of a structure, and without one of a single member: passes that look at
// each member of a result leave these out.
std::string members_text_of(const llvm::Type *type);

// mark_parameters for each function, at the start of the pipeline.
class MarkParametersPass : public llvm::PassInfoMixin<MarkParametersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PARAMETER_MARKS_H
