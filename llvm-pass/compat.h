// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that differs between the LLVM versions we support (19 and 22), in one place:
// no other file of the plugin asks for a version.

#ifndef NOPHOOK_LLVM_PASS_COMPAT_H
#define NOPHOOK_LLVM_PASS_COMPAT_H

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SpecialCaseList.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace nophook {

// The version for which this plugin is compiled. The program that loads it may have another one.
inline constexpr unsigned kLlvmMajor = LLVM_VERSION_MAJOR;

// Where the entries of `patchable-function-entry` go can be chosen since LLVM 21; before,
// it is always `__patchable_function_entries`, which the linker script gathers as well.
inline constexpr bool kHasEntrySection = LLVM_VERSION_MAJOR >= 21;

// The register of AArch64's `nest` argument, a DWARF number.
inline constexpr unsigned kAarch64Nest = LLVM_VERSION_MAJOR >= 20 ? 15 : 18;

// Whether AArch64's back end keeps a block of bfloat together. LLVM 19 passes each by itself.
inline constexpr bool kAarch64KeepsBfloats = LLVM_VERSION_MAJOR >= 22;

inline llvm::Triple target_triple(const llvm::Module &module) {
  return llvm::Triple(module.getTargetTriple());
}

// A TargetMachine for questions only. CPU and features come from each function.
inline std::unique_ptr<llvm::TargetMachine>
create_target_machine(const llvm::Triple &triple, const llvm::TargetOptions &options,
                      std::string &error) {
#if LLVM_VERSION_MAJOR >= 22
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  const llvm::Triple &name = triple;
#else
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  const std::string &name = triple.str();
#endif
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(name, "", "", options, std::nullopt));
}

// The line of the last entry `prefix:GLOB` for us that matches; 0 if none does. LLVM 22 also
// returns the file, which is always the first here.
inline unsigned line_of_entry(const llvm::SpecialCaseList &entries, llvm::StringRef prefix,
                              llvm::StringRef query) {
#if LLVM_VERSION_MAJOR >= 22
  return entries.inSectionBlame("nophook", prefix, query).second;
#else
  return entries.inSectionBlame("nophook", prefix, query);
#endif
}

// Whether a compiled file is C, where names of structures are tags.
inline bool is_c_source(const llvm::DICompileUnit &unit) {
#if LLVM_VERSION_MAJOR >= 22
  const llvm::DISourceLanguageName language = unit.getSourceLanguage();
  if (language.hasVersionedName())
    return language.getName() == llvm::dwarf::DW_LNAME_C;
  return llvm::dwarf::isC(llvm::dwarf::SourceLanguage(language.getName()));
#else
  return llvm::dwarf::isC(llvm::dwarf::SourceLanguage(unit.getSourceLanguage()));
#endif
}

// Is link-time optimization still to come? LLVM 19 does not show it.
enum class Lto {
  kDone,   // none is to come, or this is ThinLTO's back end: still one module for a file
  kMerged, // none is to come: this is the full LTO link, one module for all files
  kBefore,
  kUnknown,
};

// Calls `add(pass_manager, lto)` at the end of the optimizer, at every level, and again at
// the end of a full LTO link, which is a place of its own.

template <typename Add> void at_optimizer_last(llvm::PassBuilder &builder, Add add) {
#if LLVM_VERSION_MAJOR >= 20
  builder.registerOptimizerLastEPCallback([add](llvm::ModulePassManager &manager,
                                                llvm::OptimizationLevel,
                                                llvm::ThinOrFullLTOPhase phase) {
    const bool before = phase == llvm::ThinOrFullLTOPhase::ThinLTOPreLink ||
                        phase == llvm::ThinOrFullLTOPhase::FullLTOPreLink;
    add(manager, before ? Lto::kBefore : Lto::kDone);
  });
#else
  builder.registerOptimizerLastEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        add(manager, Lto::kUnknown);
      });
#endif
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        add(manager, Lto::kMerged);
      });
}

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_COMPAT_H
