// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a struct nophook_args, and a struct nophook_site, into the object.
//
// The obvious way, a global variable that names the function, takes its address: the
// function could then no longer be dropped, inlined away or merged, and each entry would
// cost a relocation at start-up. So the pass uses `!pcsections` metadata on the function. The back
// end writes, for each section name in the node, the distance to the function's start and its size,
// then the constants that follow the name. The section is link-ordered to the function's text and
// in its COMDAT group, so an entry dies with its function. On a function the node changes no
// instruction (on an instruction it would).
//
//   !{!"__ftrace_args", !{i32 call, i32 prototype}}  -->  pc, size, call, prototype
//   !{!"__mcount_rel"}                               -->  distance, bytes
//
// No option letter behind the name: "!C" would compress the constants.

#include "descriptor.h"
#include "nophook/site.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Type.h"

namespace nophook {
namespace {

llvm::Metadata *constant(llvm::LLVMContext &context, uint32_t value) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
}

// Sanitizers use the same kind of metadata: theirs stays.
void add_sections(llvm::Function &function, llvm::ArrayRef<llvm::Metadata *> added) {
  llvm::SmallVector<llvm::Metadata *, 4> operands;
  if (const llvm::MDNode *node = function.getMetadata(llvm::LLVMContext::MD_pcsections))
    operands.append(node->op_begin(), node->op_end());
  operands.append(added.begin(), added.end());
  function.setMetadata(llvm::LLVMContext::MD_pcsections,
                       llvm::MDNode::get(function.getContext(), operands));
}

} // namespace

void attach_distance(llvm::Function &function) {
  add_sections(function, llvm::MDString::get(function.getContext(), NOPHOOK_REL_SECTION));
}

bool has_descriptor(const llvm::Function &function) {
  const llvm::MDNode *node = function.getMetadata(llvm::LLVMContext::MD_pcsections);
  if (!node)
    return false;
  for (const llvm::MDOperand &operand : node->operands())
    if (const auto *name = llvm::dyn_cast<llvm::MDString>(operand))
      if (name->getString() == NOPHOOK_ARGS_SECTION || name->getString() == NOPHOOK_SIDE_ARGS_INPUT)
        return true;
  return false;
}

void attach_descriptor(llvm::Function &function, const Classification &classification,
                       uint32_t prototype, const char *section) {
  llvm::LLVMContext &context = function.getContext();
  const uint32_t call =
      NOPHOOK_ARGS_CALL(classification.how, classification.reason, classification.stack_bytes);
  add_sections(function, {llvm::MDString::get(context, section),
                          llvm::MDNode::get(
                              context, {constant(context, call), constant(context, prototype)})});
}

} // namespace nophook
