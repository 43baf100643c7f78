// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H
#define NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H

namespace nophook {

// Teaches clang the attribute nophook_always_trace. Once, before anything is parsed.
void register_trace_attribute();

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H
