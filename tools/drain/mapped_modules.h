// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of a process that have no sites, such as libc: the function tracer's callers lie
// in them too, and the runtime lists only modules with sites.
//
// Read from /proc/PID/maps while the process lives: a program that ends before the recorder
// first looks at it shows such callers as addresses.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// For each file that is mapped as code, a struct nophook_map without functions, and its path:
// the form in which the runtime's own list comes.
std::vector<std::string> mapped_modules(int32_t pid);

} // namespace nophook
