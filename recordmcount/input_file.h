// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are read whole, and whose names come from a command line or a thin archive.

#pragma once

#include <string>

namespace nophook {

// Why a file is not read; empty: it may be. A FIFO would be waited for, a device need not end, and
// a sparse file may have any size.
std::string input_problem(const std::string &path);

} // namespace nophook
