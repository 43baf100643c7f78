// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing the reader of diffs, of which nophook patch build takes the names of files and the numbers
// of changed lines. Random bytes are no diff, so changes are made to lines and to the numbers in
// the headers of hunks.

#pragma once

#include <random>
#include <string>
#include <string_view>

namespace nophook {

// True: it is read. Ends the process if something does not hold.
bool check_diff(std::string_view text);

std::string mutate_diff(std::string text, std::mt19937 &random);

} // namespace nophook
