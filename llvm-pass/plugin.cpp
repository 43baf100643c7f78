// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doors of NophookPass.so, one file for all of them:
//
//   clang -fplugin=NophookPass.so         one flag is enough, see frontend.cpp
//   clang -fpass-plugin=NophookPass.so    the pass alone
//   opt -load-pass-plugin=NophookPass.so  the same, and `-passes=nophook` by name
//   lld --load-pass-plugin=NophookPass.so descriptors for LTO, see instrument.cpp

#include "plugin.h"
#include "compat.h"
#include "instrument.h"

namespace nophook {

void register_pass(llvm::PassBuilder &builder) {
  at_optimizer_last(builder, [](llvm::ModulePassManager &manager, Lto lto) {
    manager.addPass(InstrumentPass(lto));
  });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager &manager,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "nophook")
      return false;
    manager.addPass(InstrumentPass(Lto::kDone));
    return true;
  });
}

} // namespace nophook

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "nophook", NOPHOOK_VERSION, nophook::register_pass};
}
