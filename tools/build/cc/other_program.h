// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs: to become one, or to run one.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nophook {

// Returns only if it fails, with errno's reason.
int become(const std::vector<std::string> &command);

// Runs it and waits. Returns its exit status; says so and returns 1 if it cannot be started. A
// signal that ends it ends us, too. If we are ended, so is it.
int run(const std::vector<std::string> &command);

// The same in two parts: in a new process nothing, and that one goes on as the program; here its
// exit status, when it has ended.
std::optional<int> split();

} // namespace nophook
