// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The word that a user has probably meant: a verb or an option with a letter wrong, missing, too
// many or in the other order.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nophook {

// The number of letters to change, add, take away or exchange with the next one.
unsigned edit_distance(std::string_view a, std::string_view b);

// The nearest of `words`, if it is near enough: a third of its letters may be wrong. Else, the only
// one that begins with `typed`. Nothing: there is none.
std::string closest(std::string_view typed, const std::vector<std::string> &words);

// ", did you mean 'WORD'?", or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string> &words);

} // namespace nophook
