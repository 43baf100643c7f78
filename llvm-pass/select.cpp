// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which functions get a site. The first rule that applies decides:
//
//   1. no ordinary entry, or another's NOPs in its place               out, always
//   2. marked never in the source, alone or with its whole file        out
//   3. marked always in the source                                     in
//   4. named by an exclude list                                        out
//   5. there are include lists, and none names it                      out
//   6. only-exported, and no other file can see it                     out
//   7. smaller than min-size, and without a loop                       out
//   8. all others                                                      in
//
// So a list is a filter, as the kernel's are (in the filter, and not in notrace), and only
// the source itself can insist.
//
// Sizes are counted at the end of the optimizer, and only instructions that may become machine code
// count: a build with -g has more instructions in its IR, and must not have more sites.

#include "select.h"
#include "marks.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace nophook {
namespace {

Selection impossible(llvm::StringRef name, const llvm::Twine &why) {
  return {Selection::kImpossible, name, why.str()};
}

Selection left_out(llvm::StringRef name, const llvm::Twine &why) {
  return {Selection::kLeftOut, name, why.str()};
}

// Whether the user has NOPs of another shape there, which are not ours to touch.
bool has_foreign_site(const llvm::Function &function, llvm::StringRef units) {
  if (function.hasFnAttribute("patchable-function-prefix"))
    return true;
  const llvm::Attribute entry = function.getFnAttribute("patchable-function-entry");
  return entry.isValid() && entry.getValueAsString() != units;
}

bool is_seen_from_outside(const llvm::GlobalValue &value) {
  return !value.hasLocalLinkage() && !value.hasHiddenVisibility();
}

unsigned count_instructions(const llvm::Function &function) {
  unsigned count = 0;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const bool is_note = intrinsic && intrinsic->isAssumeLikeIntrinsic();
      count += !is_note && !instruction.isDebugOrPseudoInst();
    }
  return count;
}

bool has_loop(const llvm::Function &function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 4> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

} // namespace

bool is_always_traced(const llvm::Function &function) {
  llvm::SmallVector<llvm::StringRef, 4> assumptions;
  function.getFnAttribute(kAlwaysKey).getValueAsString().split(assumptions, ',');
  return llvm::is_contained(assumptions, kAlwaysValue);
}

bool is_never_traced(const llvm::Function &function) {
  return function.getFnAttribute(kNeverKey).getValueAsString() == kNeverValue;
}

Selector::Selector(const llvm::Module &module, const Options &options, llvm::StringRef site_units,
                   bool is_one_file)
    : options_(options), site_units_(site_units),
      is_file_untraced_(is_one_file &&
                        llvm::StringRef(module.getModuleInlineAsm()).contains(kFileMark)) {
  for (const llvm::GlobalIFunc &ifunc : module.ifuncs())
    resolvers_.insert(ifunc.getResolverFunction());
  for (const llvm::GlobalAlias &alias : module.aliases())
    if (is_seen_from_outside(alias))
      if (const auto *function = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject()))
        exported_by_alias_.insert(function);
}

Selection Selector::select_possible(const llvm::Function &function) const {
  if (function.hasFnAttribute(llvm::Attribute::Naked))
    return impossible("Naked", "a naked function has no ordinary entry");
  if (function.getCallingConv() == llvm::CallingConv::X86_INTR)
    return impossible("Interrupt", "the processor enters an interrupt handler");
  // Resolvers run while the loader still relocates the program: nothing that they call is ready.
  if (resolvers_.contains(&function))
    return impossible("IfuncResolver", "an ifunc resolver runs before the program is relocated");
  if (has_foreign_site(function, site_units_))
    return impossible("OtherNops", "it has NOPs of another patchable_function_entry");
  return {};
}

Selection Selector::select_wanted(const llvm::Function &function) const {
  if (is_never_traced(function))
    return left_out("NotraceAttribute", "an attribute in the source keeps it out");
  if (is_file_untraced_)
    return left_out("NotraceFile", "its file includes <nophook/notrace_file.h>");
  if (is_always_traced(function))
    return {};
  if (function.getFnAttribute(kSkipKey).getValueAsString() == kSkipValue)
    return left_out("Earlier", "the options of an earlier run left it out");
  if (const std::string place = options_.exclude.find(function); !place.empty())
    return left_out("ExcludeList", "excluded by " + place);
  if (!options_.include.empty() && options_.include.find(function).empty())
    return left_out("IncludeList", "not in the include list");
  if (options_.only_exported && !is_seen_from_outside(function) &&
      !exported_by_alias_.contains(&function))
    return left_out("NotExported", "it is not exported");
  if (options_.min_size) {
    const unsigned size = count_instructions(function);
    if (size < options_.min_size && !has_loop(function))
      return left_out("Small", "it has " + llvm::Twine(size) +
                                   " instructions and no loop, min-size is " +
                                   llvm::Twine(options_.min_size));
  }
  return {};
}

Selection Selector::select(const llvm::Function &function) const {
  Selection possible = select_possible(function);
  // The function was chosen in an earlier run of the pass, whose options this one may not know.
  if (possible.kind != Selection::kIn || function.hasFnAttribute("patchable-function-entry"))
    return possible;
  return select_wanted(function);
}

} // namespace nophook
