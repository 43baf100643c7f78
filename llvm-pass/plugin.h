// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PLUGIN_H
#define NOPHOOK_LLVM_PASS_PLUGIN_H

#include "llvm/Passes/PassBuilder.h"

namespace nophook {

// Adds the pass at the end of the optimizer, and to the names that -passes= knows.
void register_pass(llvm::PassBuilder &builder);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PLUGIN_H
