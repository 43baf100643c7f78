// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changed between two recordings (analyse/diff.h), as a table or one JSON object a line.

#pragma once

#include "analyse/diff.h"
#include "base/output.h"

namespace nophook {

// `rows` rows, 0: all.
void print_diff(Output &output, const DiffSide &before, const DiffSide &after, uint64_t rows,
                bool json);

} // namespace nophook
