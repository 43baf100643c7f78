// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on the arguments of recorded calls: `--where 'parse.len > 4096'`.
//
//   FUNCTION.ARGUMENT OPERATOR VALUE
//
// FUNCTION has the meaning of other options' names, ARGUMENT is its name in the sources, the
// operator one of == != < <= > >=. VALUE is a number, a text (quotes may be left out) or an
// enumerator. Texts are only equal or not. A name or a type that does not fit is an error before
// anything is printed: a condition that never holds looks like a program that never did it.

#pragma once

#include "recording/reader.h"
#include "select/selection.h"
#include "symbols/functions.h"

namespace nophook {

// Makes conditions of `selection->where`. Errors name `verb`.
Result<> read_conditions(const std::string &verb, const Recording &recording, Functions &functions,
                         Selection *selection);

// A line for each condition that never held, and why, once the recording has been read.
std::vector<std::string> condition_notes(const Selection &selection);

} // namespace nophook
