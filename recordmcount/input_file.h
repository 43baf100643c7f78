// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are read whole, with names from a command line or a thin archive.

#pragma once

#include <string>

namespace nophook::recordmcount {

// The reason why a file cannot be read; empty: it can. A FIFO would block, a device may be endless,
// and a sparse file may have any size.
std::string input_problem(const std::string &path);

} // namespace nophook::recordmcount
