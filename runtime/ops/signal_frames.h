// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that a stack shows: whether a signal handler lies between two frames, and whether a frame
// is still open.
//
// The kernel gives a handler a frame that begins with the address of the program's sigreturn, which
// the kernel also reports on request, and that holds the interrupted registers. A handler may be on
// a stack of its own. All of this runs in callbacks: no libc, no lock.

#pragma once

#include <stdint.h>

namespace nophook {

// Finds out how handlers return in this program. Cold; called again whenever callbacks are added.
void find_signal_frames();

// Whether a handler has been entered between `outer`, a frame of this thread, and `inner`, the
// present place.
bool handler_between(uint64_t inner, uint64_t outer);

// The newest frame of a callback that is open where `place` is: `outermost`, or one inside of that.
uint64_t newest_frame(uint64_t place, uint64_t outermost);

// Whether the calling thread is in a handler that has interrupted it on this very stack, a MiB
// further up at most. In doubt, for example from the remains of an earlier handler, it returns
// true.
bool is_in_handler();

// Whether the frame at `open` is gone without having been closed: there is a newer one at `newest`,
// further up on the same stack or in its place.
bool is_left(uint64_t open, uint64_t newest);

// Whether another thread's frame is gone for certain: other data is in its place. Any thread.
bool is_overwritten(uint64_t frame);

} // namespace nophook
