// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "recording/writer.h"

namespace nophook {

// Now, on a clock that events are stamped with (NOPHOOK_CLOCK_); the counter of events has none.
uint64_t clock_now(uint32_t clock);

// This instant on all clocks.
ClockPair read_clocks();

void write_clock(RecordingWriter &writer, const ClockPair &pair);

} // namespace nophook
