// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of the texts that people read on a terminal: long times stand out, and the text beside
// the calls stands back. The text itself stays as it is. NO_COLOR (no-color.org) turns them off.

#pragma once

#include "foundation/output.h"
#include "foundation/terminal.h"

#include <string>
#include <string_view>

namespace nophook {

// A line of a trace or of a table with the codes of a terminal: comments are dim, heads of tables
// bold; a call of 100 us or more, or 2 % of all time, is yellow, and one of 10 ms, or 10 %, red.
std::string coloured_line(std::string_view line);

// Makes lines fit the terminal and have colours from now on. Not for JSON.
void show_on(Output &output, const Terminal &terminal);

} // namespace nophook
