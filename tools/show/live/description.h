// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a recording beside its events, for a process that is being traced: its functions,
// its clock, its tracer. With them, the code that prints recordings also prints live events.

#pragma once

#include "process/drain/shared_buffer.h"
#include "read/recording/reader.h"

namespace nophook {

// A recording without events, in memory. It knows the modules that the process has by now.
Result<Recording> describe_process(const SharedBuffer &buffer);

// The tracer as the header of `trace` names it: the profiler has no events.
std::string events_tracer(const nophook_buffer &header);

// Size of the list of its functions; when it has grown, a description is old.
uint64_t function_list_bytes(const SharedBuffer &buffer);

} // namespace nophook
