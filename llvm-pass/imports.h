// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the functions that a module calls in other objects.

#ifndef NOPHOOK_LLVM_PASS_IMPORTS_H
#define NOPHOOK_LLVM_PASS_IMPORTS_H

#include "classify.h"
#include "prototype_writer.h"

namespace nophook {

// Writes a struct nophook_import for each function that the module calls and does not define.
// Their prototypes go to `prototypes`, before its finish().
void add_imports(llvm::Module &module, const Classifier &classifier, Prototypes &prototypes);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_IMPORTS_H
