// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "recording/writer.h"

namespace nophook {

// This instant on all clocks.
ClockPair read_clocks();

void write_clock(RecordingWriter &writer, const ClockPair &pair);

} // namespace nophook
