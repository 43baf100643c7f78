// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small files of /proc, read into a buffer on the stack.

#pragma once

#include <stdint.h>

namespace nophook {

using ProcText = char[2048];

// Reads as much of the file as there is room for; the text ends with 0. False: there is no such
// file, or it may not be opened; then the text is empty.
bool read_proc(const char *path, ProcText &text);

// Field `wanted` of a stat file, counted from 1, or null. "PID (NAME) STATE PARENT ...", where NAME
// may hold anything.
const char *stat_field(const char *stat, int wanted);

// The number that `text` begins with; `end`: the text behind it. 0 if there are no digits.
uint64_t number_at(const char *text, unsigned base, const char **end = nullptr);

} // namespace nophook
