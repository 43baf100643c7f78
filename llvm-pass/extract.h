// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extraction of a live patch's code from a module.

#ifndef NOPHOOK_LLVM_PASS_EXTRACT_H
#define NOPHOOK_LLVM_PASS_EXTRACT_H

#include "extract_list.h"

#include "llvm/IR/Module.h"

namespace nophook {

// Leaves the definitions in the module that a live patch needs. False: that is impossible, with an
// error of the compilation for each name. Does nothing to a module that it has seen before.
bool extract(llvm::Module &module, const ExtractList &list);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_EXTRACT_H
