// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decision how function_graph may trace a function, in the terms of nophook/args.h.

#ifndef NOPHOOK_LLVM_PASS_CLASSIFY_H
#define NOPHOOK_LLVM_PASS_CLASSIFY_H

#include "llvm-pass/ir_cpu.h"

#include "nophook/args.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdint>
#include <memory>
#include <string>

namespace nophook {

// How function_graph may trace a function: the constants of a struct nophook_args.
struct Classification {
  nophook_call how = NOPHOOK_CALL_ENTRY_ONLY;
  nophook_call_reason reason = NOPHOOK_REASON_NONE;
  uint32_t stack_bytes = 0;
};

// Answers for the functions of one module. Built once, as it asks the module first which
// functions look at their caller.
class Classifier {
public:
  explicit Classifier(const llvm::Module &module);

  // The reason why the target's back end is missing; empty if it is not.
  const std::string &error() const { return error_; }

  Classification classify(const llvm::Function &function) const;

  // Whether the function looks at its return address or outer frames.
  bool looks_at_caller(const llvm::Function &function) const {
    return looks_at_caller_.contains(&function);
  }

  // The machine for questions about places; null if we do not know the target's conventions.
  const llvm::TargetMachine *machine() const { return knows_target() ? machine_.get() : nullptr; }

private:
  bool knows_target() const { return ir_cpu(triple_); }
  nophook_call_reason reason_against_call(const llvm::Function &function) const;

  llvm::Triple triple_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::string error_;
  bool fastcc_pops_ = false;
  llvm::SmallPtrSet<const llvm::Function *, 8> looks_at_caller_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_CLASSIFY_H
