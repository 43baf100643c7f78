// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute behind alwaystrace.

#ifndef NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H
#define NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H

namespace nophook {

// Registers the attribute nophook_always_trace with clang. To be called once, before anything is
// parsed.
void register_trace_attribute();

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_TRACE_ATTRIBUTE_H
