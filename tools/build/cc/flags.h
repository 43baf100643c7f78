// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags that make what a command line builds traceable. nophook_instrument() of
// cmake/nophook-config.cmake.in hands out the same.

#pragma once

#include "build/cc/command_line.h"
#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

// The way in which the runtime gets into a program: not at all (it is preloaded when a program is
// recorded), as libnophook.so, or as libnophook.a.
enum class LinkedRuntime { kNone, kShared, kStatic };
Result<LinkedRuntime> wanted_runtime(); // the user's choice, NOPHOOK_RUNTIME

// The flags, which stand well in front of all others. `clang`: its major version; 0: gcc, which
// gets only those for the linker.
Result<std::vector<std::string>> flags_for(const CommandLine &line, LinkedRuntime runtime,
                                           unsigned clang);

} // namespace nophook
