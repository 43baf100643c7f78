// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ticks as times, for who reads a process while it runs, again and again.
//
// A recording has two moments by both clocks, its begin and its end. Who looks at a living process
// has its begin and now: a rate that is as good as that is long ago, and another one each time. The
// same event would have another time whenever it is shown, and one who has begun to follow
// trace_pipe at once would be milliseconds off within the hour. So all moments at which somebody
// has looked are kept: an event is between two of them, and its time stays what it was.

#pragma once

#include "recording/reader.h"

#include <nophook/buffer.h>

namespace nophook {

// `clock` is of the buffer's begin and now; the same with all moments so far of all who read this
// buffer in our process, this one among them. Any thread.
TscClock live_clock(const nophook_buffer &header, const TscClock &clock);

} // namespace nophook
