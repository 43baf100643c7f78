// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing what people and clients write into control files. An input is what it is for (`probe`,
// `filter`, `verdict`, or a path in the tree), a newline, and the text.

#pragma once

#include <string>
#include <string_view>

namespace nophook {

// Ends the process if something does not hold for it.
void check_control(std::string_view input);

} // namespace nophook
