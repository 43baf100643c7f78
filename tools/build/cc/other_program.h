// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs: to become one, or to run one.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nophook {

// Becomes another program. Returns only on a failure, with errno's reason.
int become(const std::vector<std::string> &command);

// Runs a program and waits for it. Returns its exit status; prints an error and returns 1 if it
// cannot be started. A signal that ends it ends us, too. If we are ended, so is it.
int run(const std::vector<std::string> &command);

// The same in two parts: returns nothing in a new process, which then becomes the program; here the
// program's exit status, when it has ended.
std::optional<int> split();

} // namespace nophook
