// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the plugin that each way to load it needs.

#ifndef NOPHOOK_LLVM_PASS_PLUGIN_H
#define NOPHOOK_LLVM_PASS_PLUGIN_H

#include "options.h"

#include "llvm/Passes/PassBuilder.h"

namespace nophook {

// The options of passes that are not named in a pipeline. They belong to the process, however the
// plugin was loaded: -fpass-plugin= has no arguments of its own, and beside -fplugin= it means the
// same.
Options &plugin_options();

// Adds the pass at the end of the optimizer, and to the names that -passes= knows.
void register_pass(llvm::PassBuilder &builder);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PLUGIN_H
