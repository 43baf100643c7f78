// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ticks as times, for a reader that reads a running process again and again.
//
// A recording has two instants on both clocks, its start and its end. A reader of a running process
// has the start and the present instant. The rate between them changes with each reading, and is
// worse the closer the two are. So the same event would have another time whenever it is shown, and
// a reader that has followed trace_pipe from the start would be milliseconds off within the hour.
// Therefore all instants of readings are kept: an event is between two of them, and keeps its time.

#pragma once

#include "read/recording/reader.h"

#include <nophook/buffer.h>

namespace nophook {

// Adds to `clock`, which has the buffer's start and the present instant, all instants so far of all
// readers of this buffer in our process. Any thread.
TscClock live_clock(const nophook_buffer &header, const TscClock &clock);

} // namespace nophook
