// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimization remarks about sites.

#ifndef NOPHOOK_LLVM_PASS_REMARKS_H
#define NOPHOOK_LLVM_PASS_REMARKS_H

#include "classify.h"
#include "select.h"

#include "llvm/IR/Function.h"

namespace nophook {

// -Rpass=nophook: `function` got a site, and the tracers that can use it.
void remark_site(const llvm::Function &function, const Classification &classification);

// The same where the tracers are not decided here; `why` ends the sentence.
void remark_site(const llvm::Function &function, llvm::StringRef why);

// -Rpass-missed=nophook: `function` got no site, and the reason.
void remark_no_site(const llvm::Function &function, const Selection &selection);

// A warning: the source insists on a site, in vain.
void warn_no_site(const llvm::Function &function, const Selection &selection);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_REMARKS_H
