// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of a process that have no sites, such as libc: the function tracer's callers lie
// in them too, and the runtime lists only modules with sites.
//
// The process lists them when its buffer is made. The recorder learns of modules that are loaded
// later if it looks while the process lives.

#pragma once

#include <string>
#include <vector>

namespace nophook {

// One record for each file that `maps`, lines as in /proc/PID/maps, has mapped as code: a struct
// nophook_map without functions, and its path. This is the form of the runtime's own list.
std::vector<std::string> mapped_modules(const std::string &maps);

} // namespace nophook
