// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks by which events are stamped, read from outside of the traced process.

#pragma once

#include "read/recording/writer.h"

#include <nophook/buffer.h>

namespace nophook {

// The present time on the clock that stamps the buffer's events, without its base. The "counter" of
// events shows no time, so its result is of another clock. A process on another CPU (an emulator
// runs it) has another counter, whose time is computed from its speed.
uint64_t clock_now(const nophook_buffer &header);

// This instant on all clocks; the counter is this CPU's.
ClockPair read_clocks();

void write_clock(RecordingWriter &writer, const ClockPair &pair);

} // namespace nophook
