// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the time went to, as a table or one JSON object a line.

#pragma once

#include "analyse/costs.h"
#include "base/output.h"
#include "print/trace_options.h"

namespace nophook {

void print_top(Output &output, Functions &functions, const Recording &recording,
               const std::vector<FunctionCost> &costs, uint64_t rows, bool json,
               const TraceOptions &options = {});

} // namespace nophook
