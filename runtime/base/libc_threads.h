// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the C library has started a thread.

#pragma once

namespace nophook {

// Also false if the C library does not show it. Any thread, any time.
bool libc_has_threads();

} // namespace nophook
