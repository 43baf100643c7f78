// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace options of an array, for readers in the process.

#pragma once

#include "tracers/trace_array.h"

namespace nophook {

// Whether the option of trace_options is on in an array. Under the runtime's lock.
bool trace_option(const char *name, const trace_array &tr);

} // namespace nophook
