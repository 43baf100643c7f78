// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the memory of an ops can go away: FTRACE_OPS_FL_DYNAMIC.
//
// Memory is static in a writable segment of the program, or of a library that was loaded with it,
// as those are never unloaded. All other memory is dynamic: heap, stacks, libraries of dlopen.

#pragma once

#include <stdint.h>

namespace nophook {

// Under the runtime's lock. The first call asks the loader.
bool is_dynamic_memory(uint64_t address);

} // namespace nophook
