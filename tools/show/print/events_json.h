// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events for programs: one JSON object a line, in the order of time.

#pragma once

#include "foundation/output.h"
#include "read/steps/merge.h"
#include "read/symbols/functions.h"

namespace nophook {

// The way in which a call ended, as a word.
const char *end_text(const Step &step);

void print_event_json(Output &output, Functions &functions, const Recording &recording,
                      const Thread &thread, const Step &step, bool srcline = false,
                      bool wall = false);

} // namespace nophook
