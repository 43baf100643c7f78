// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_UNTRACED_H
#define NOPHOOK_LLVM_PASS_UNTRACED_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace nophook {

// Hands the source's wish not to trace a function down to the pass. Must see each
// declaration before clang generates code for it.
std::unique_ptr<clang::ASTConsumer> make_untraced_marker();

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_UNTRACED_H
