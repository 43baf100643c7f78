// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker behind `nophook ld`.

#pragma once

#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

// The words of NOPHOOK_LD, or the program `name`. It is looked for in PATH, where a link to this
// command may stand in front of it: that one is never the answer.
Result<std::vector<std::string>> real_linker(const std::string &name);

// Writes the arguments to one `@FILE`, which the linker reads from a descriptor that it inherits:
// the contents of a response file may be too long for a command line.
Result<std::string> as_response_file(const std::vector<std::string> &arguments);

} // namespace nophook
