// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which functions function_graph may call through.
//
// Its frame stands between caller and body: the body's return address is the frame's, and
// stack arguments lie further away than the body expects. Most code does not notice. Code that does
// is found here, in the last moment of the optimizer. Earlier, inlining, argument promotion
// and coroutine splitting still change signatures; later, nothing can be attached any more.
// In doubt a function gets entry events only: a hole in the graph, not a wrong program.

#include "classify.h"
#include "compat.h"
#include "ir_cpu.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"

namespace nophook {
namespace {

// Intrinsics through which code finds its own return address or its caller's frame.
bool looks_at_caller(const llvm::CallBase &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::returnaddress:
  case llvm::Intrinsic::addressofreturnaddress:
  case llvm::Intrinsic::sponentry:
  case llvm::Intrinsic::eh_dwarf_cfa:
  case llvm::Intrinsic::eh_return_i32:
  case llvm::Intrinsic::eh_return_i64:
    return true;
  case llvm::Intrinsic::frameaddress: {
    // Level 0 is the body's own frame, which is in its usual place.
    const auto *level = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    return !level || !level->isZero();
  }
  default:
    return false;
  }
}

// Under -tailcallopt fastcc functions pop their own arguments. The option belongs to the tool (opt,
// lld, llc), and can be read there only; clang has no such option.
bool is_tailcallopt_on() {
  const auto &options = llvm::cl::getRegisteredOptions();
  const auto found = options.find("tailcallopt");
  return found != options.end() && static_cast<llvm::cl::opt<bool> *>(found->second)->getValue();
}

Classification entry_only(nophook_call_reason reason) {
  return {NOPHOOK_CALL_ENTRY_ONLY, reason, 0};
}

} // namespace

Classifier::Classifier(const llvm::Module &module)
    : triple_(target_triple(module)), fastcc_pops_(is_tailcallopt_on()) {
  machine_ = create_target_machine(triple_, llvm::TargetOptions(), error_);
  // The users of a few intrinsics are far fewer than all instructions.
  for (const llvm::Function &function : module)
    if (function.isIntrinsic())
      for (const llvm::User *user : function.users())
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
          if (nophook::looks_at_caller(*call))
            looks_at_caller_.insert(call->getFunction());
}

nophook_call_reason Classifier::reason_against_call(const llvm::Function &function) const {
  if (!knows_target())
    return NOPHOOK_REASON_CONVENTION;
  if (function.isVarArg())
    return NOPHOOK_REASON_VARIADIC;
  const llvm::CallingConv::ID convention = function.getCallingConv();
  if (convention == llvm::CallingConv::Tail || convention == llvm::CallingConv::SwiftTail ||
      (convention == llvm::CallingConv::Fast && fastcc_pops_))
    return NOPHOOK_REASON_CALLEE_POPS;
  if (function.hasFnAttribute(llvm::Attribute::ReturnsTwice))
    return NOPHOOK_REASON_RETURNS_TWICE;
  if (looks_at_caller_.contains(&function))
    return NOPHOOK_REASON_RETURN_ADDRESS;
  // __morestack moves the frame to another stack, and it knows how far the arguments are;
  // a garbage collector of the GC strategies finds its roots by return addresses.
  if (function.hasFnAttribute("split-stack") || function.hasGC())
    return NOPHOOK_REASON_CONVENTION;
  return NOPHOOK_REASON_NONE;
}

Classification Classifier::classify(const llvm::Function &function) const {
  if (const nophook_call_reason reason = reason_against_call(function))
    return entry_only(reason);
  const std::optional<uint64_t> bytes = ir_cpu(triple_)->stack_bytes(function, *machine_);
  if (!bytes)
    return entry_only(NOPHOOK_REASON_CONVENTION);
  if (*bytes > NOPHOOK_COPY_MAX_BYTES)
    return entry_only(NOPHOOK_REASON_STACK_SIZE);
  if (*bytes == 0)
    return {NOPHOOK_CALL_THROUGH, NOPHOOK_REASON_NONE, 0};
  return {NOPHOOK_CALL_COPY, NOPHOOK_REASON_NONE, uint32_t(*bytes)};
}

} // namespace nophook
