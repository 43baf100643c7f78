// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_EXTRACT_H
#define NOPHOOK_LLVM_PASS_EXTRACT_H

#include "extract_list.h"

#include "llvm/IR/Module.h"

namespace nophook {

// Leaves in the module what a live patch needs of it. False: it cannot, which is an error of the
// compilation for each name. Does nothing to a module that it has seen before.
bool extract(llvm::Module &module, const ExtractList &list);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_EXTRACT_H
