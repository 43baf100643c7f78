// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source's attributes against tracing, for the pass.

#ifndef NOPHOOK_LLVM_PASS_UNTRACED_H
#define NOPHOOK_LLVM_PASS_UNTRACED_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace nophook {

// Passes the source's attribute against tracing a function on to the pass. It must see each
// declaration before clang generates code for it.
std::unique_ptr<clang::ASTConsumer> make_untraced_marker();

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_UNTRACED_H
