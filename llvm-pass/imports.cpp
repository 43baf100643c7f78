// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object's knowledge of functions that it calls in other objects.
//
// A library's function has a type, but no file records it: libraries are stripped, and headers are
// gone after the compiler. A tracer that calls through it needs the bytes of its stack arguments,
// and a reader the types of its values. Only the compiler of the caller still knows them. So each
// callee that is only declared is described like a function of the object's own.
//
// The linker decides later whether the function is in another module. The record of a function that
// the link finds in another object is unused.
//
// A function whose calls disagree is not described: a call with another type than the declaration's
// passes other arguments. Vectors of more than 16 bytes are left out, too: their registers depend
// on the features that the function was compiled for.

#include "imports.h"

#include "llvm/IR/Instructions.h"

namespace nophook {
namespace {

bool has_vector(const llvm::Type *type) {
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), has_vector);
  return type->isVectorTy();
}

// Two floats are passed as <2 x float>, in any xmm register.
bool is_wide_vector(const llvm::Function &function, const llvm::Type *type) {
  return has_vector(type) && function.getDataLayout()
                                     .getTypeStoreSize(const_cast<llvm::Type *>(type))
                                     .getKnownMinValue() > 16;
}

bool passes_in_memory_as(const llvm::CallBase &call, const llvm::Function &function) {
  for (const llvm::Argument &argument : function.args()) {
    const unsigned number = argument.getArgNo();
    if (call.getParamByValType(number) != argument.getParamByValType() ||
        call.getParamStructRetType(number) != argument.getParamStructRetType())
      return false;
  }
  return true;
}

// The uses of a function in the module.
struct Uses {
  bool is_called = false;
  bool takes_address = false; // whether its address is taken for anything but a call
  bool agrees = true;         // whether all calls have the declaration's type
};

Uses uses_of(const llvm::Function &function) {
  Uses uses;
  for (const llvm::Use &use : function.uses()) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isCallee(&use)) {
      uses.takes_address = true;
      continue;
    }
    uses.is_called = true;
    uses.agrees &= call->getFunctionType() == function.getFunctionType() &&
                   call->getCallingConv() == function.getCallingConv() &&
                   passes_in_memory_as(*call, function);
  }
  return uses;
}

Classification classify_import(const llvm::Function &function, const Classifier &classifier,
                               const Uses &uses) {
  const bool is_known = uses.agrees && !is_wide_vector(function, function.getReturnType()) &&
                        llvm::none_of(function.args(), [&](const llvm::Argument &argument) {
                          return is_wide_vector(function, argument.getType());
                        });
  if (!is_known && !function.isVarArg())
    return {NOPHOOK_CALL_ENTRY_ONLY, NOPHOOK_REASON_CONVENTION, 0};
  return classifier.classify(function);
}

} // namespace

void add_imports(llvm::Module &module, const Classifier &classifier, Prototypes &prototypes) {
  for (llvm::Function &function : module) {
    if (!function.isDeclarationForLinker() || function.isIntrinsic() ||
        !function.hasDefaultVisibility())
      continue;
    const Uses uses = uses_of(function);
    if (!uses.is_called && !uses.takes_address)
      continue;
    const Classification how = classify_import(function, classifier, uses);
    uint32_t flags = 0;
    if (uses.is_called)
      flags |= NOPHOOK_IMPORT_CALLED;
    if (uses.takes_address)
      flags |= NOPHOOK_IMPORT_ADDRESS_TAKEN;
    prototypes.add_import(function, NOPHOOK_ARGS_CALL(how.how, how.reason, how.stack_bytes), flags,
                          uses.agrees);
  }
}

} // namespace nophook
