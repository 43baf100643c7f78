// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of a function in the sections that the runtime reads.

#ifndef NOPHOOK_LLVM_PASS_DESCRIPTOR_H
#define NOPHOOK_LLVM_PASS_DESCRIPTOR_H

#include "classify.h"

#include "llvm/IR/Function.h"

namespace nophook {

// Makes the back end emit a struct nophook_site for `function`.
void attach_distance(llvm::Function &function);

bool has_descriptor(const llvm::Function &function);

// Makes the back end emit a struct nophook_args for `function`. `prototype`: low half of its id.
void attach_descriptor(llvm::Function &function, const Classification &classification,
                       uint32_t prototype, const char *section);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_DESCRIPTOR_H
