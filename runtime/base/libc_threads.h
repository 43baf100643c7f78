// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the C library has started a thread.

#pragma once

namespace nophook {

// False also in a C library that does not tell. Any thread, any time.
bool libc_has_threads();

} // namespace nophook
