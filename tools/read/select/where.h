// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on the arguments and results of recorded calls: `--where 'parse.len > 4096'`,
// `--where 'parse.return < 0'`.
//
//   FUNCTION.ARGUMENT OPERATOR VALUE
//   FUNCTION.return OPERATOR VALUE
//
// FUNCTION has the meaning of other options' names. ARGUMENT is its name in the sources, where none
// is called `return`, or its position, from 1 on. The operator is one of == != < <= > >=. VALUE is
// a number, a text (quotes may be left out) or an enumerator. Texts are only equal or not. A name
// or a type that does not fit is an error before anything is printed: a condition that never holds
// looks like a program that never did it.

#pragma once

#include "read/recording/reader.h"
#include "read/select/step_filter.h"
#include "read/symbols/functions.h"

namespace nophook {

// Makes the conditions of `selection->where`. Errors name `verb`.
Result<> read_conditions(const std::string &verb, const Recording &recording, Functions &functions,
                         Selection *selection);

// A line for each condition that never held or could not be judged, with the reason, once the
// recording has been read.
std::vector<std::string> condition_notes(const StepFilter &filter);

} // namespace nophook
