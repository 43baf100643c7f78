// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "control/tree.h"

namespace nophook {

// A file of the tree to standard output, as cat does: until its end, the process's, or that of
// whoever reads us, none of which is an error.
Result<> print_file(ControlTree &tree, const std::string &path);

// Empties `trace`, or an instance's.
Result<> clear_trace(ControlTree &tree, const std::string &path = "trace");

} // namespace nophook
