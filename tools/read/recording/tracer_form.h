// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events that a recording has, by its tracer.

#pragma once

#include "read/recording/reader.h"

namespace nophook {

// The tracer's name.
std::string tracer_of(const Recording &recording);

// The form of the events of the recording's tracer: NOPHOOK_FORM_.
uint32_t tracer_form(const Recording &recording);

bool is_graph_recording(const Recording &recording); // calls, or their counts, have times
bool is_profile_recording(const Recording &recording);
bool has_counts_only(const Recording &recording); // the tracer was hits: no function has times

} // namespace nophook
