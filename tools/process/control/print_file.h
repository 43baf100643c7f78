// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control tree on standard output, for verbs that show a file as cat does.

#pragma once

#include "process/control/tree.h"

namespace nophook {

// Copies a file of the tree to standard output, as cat does, until the end of the file, of the
// process, or of the reader of our output. None of these is an error.
Result<> print_file(ControlTree &tree, const std::string &path);

// Empties `trace`, or an instance's.
Result<> clear_trace(ControlTree &tree, const std::string &path = "trace");

} // namespace nophook
