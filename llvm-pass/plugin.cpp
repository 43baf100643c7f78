// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of NophookPass.so, one file for all of them:
//
//   clang -fplugin=NophookPass.so         one flag is enough, see frontend.cpp
//   clang -fpass-plugin=NophookPass.so    the pass alone
//   opt -load-pass-plugin=NophookPass.so  the same, and `-passes='nophook<…>'` by name
//   lld --load-pass-plugin=NophookPass.so descriptors for LTO, see instrument.cpp

#include "plugin.h"
#include "compat.h"
#include "conventions.h"
#include "hoisted_calls.h"
#include "instrument.h"
#include "parameter_marks.h"

#include "llvm-c/Core.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/WithColor.h"

#include <cstdio>
#include <cstdlib>

// A tool that links LLVM statically may not export it.
#pragma weak LLVMGetVersion

namespace nophook {
namespace {

// Refuses another version of opt or lld; frontend.cpp does the same earlier for clang. LLVM's own
// check counts versions of the plugin interface, of which several of LLVM's share one. This
// function is part of the C interface, which is stable; and nothing else of LLVM is safe to call
// here.
void refuse_other_versions() {
  if (!&LLVMGetVersion)
    return;
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == kLlvmMajor)
    return;
  fprintf(
      stderr,
      "error: nophook: this plugin is for LLVM %u.x, but it is loaded by LLVM %u.%u.%u: use the "
      "tools of LLVM %u, or build the plugin for this one (cmake -DNOPHOOK_LLVM=...)\n",
      kLlvmMajor, major, minor, patch, kLlvmMajor);
  exit(1);
}

// `nophook` or `nophook<PARAMETERS>` in -passes=. LLVM cannot take our error: it reports an unknown
// pass, after our message with the reason.
bool add_named_pass(llvm::StringRef name, llvm::ModulePassManager &manager) {
  if (!name.consume_front("nophook"))
    return false;
  Options options;
  if (!name.empty()) {
    if (!name.consume_front("<") || !name.consume_back(">"))
      return false;
    if (llvm::Error error = parse_parameters(name, options, *llvm::vfs::getRealFileSystem())) {
      llvm::WithColor::error(llvm::errs())
          << "nophook: " << llvm::toString(std::move(error)) << '\n';
      return false;
    }
  }
  manager.addPass(InstrumentPass(Lto::kDone, std::move(options)));
  return true;
}

} // namespace

Options &plugin_options() {
  static Options options;
  return options;
}

void register_pass(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        if (plugin_options().descriptors != Descriptors::kOff)
          manager.addPass(MarkParametersPass());
        if (!plugin_options().facts.empty()) {
          manager.addPass(MarkConventionsPass());
          manager.addPass(MarkLoopCallsPass());
        }
      });
  at_optimizer_last(builder, [](llvm::ModulePassManager &manager, Lto lto) {
    manager.addPass(InstrumentPass(lto, plugin_options()));
  });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager &manager,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    return add_named_pass(name, manager);
  });
}

} // namespace nophook

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  nophook::refuse_other_versions();
  return {LLVM_PLUGIN_API_VERSION, "nophook", NOPHOOK_VERSION, nophook::register_pass};
}
