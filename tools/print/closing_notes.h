// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "recording/reader.h"
#include "symbols/functions.h"

namespace nophook {

// What a reader of a recording has to know at the end, on stderr: names that could not be found,
// `skipped` words that were no events. Damage of the file is the error that is returned.
Result<> tell_closing_notes(const Recording &recording, const Functions &functions,
                            uint64_t skipped);

// "no call of 'prase' was recorded; the nearest: parse"
std::string no_call_text(Functions &functions, const std::string &typed);

} // namespace nophook
