// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes trace_clock and the option overwrite of a buffer in use, the main one or an instance's,
// which the caller holds. Its contents are cleared. Without the lock: they wait for callbacks. If
// the value is the present one, nothing happens.
//
// Errors: EBUSY (a recorder reads the buffer, and read these values when it began; the
// profiler is on and needs another clock; the time-stamp counter is behind), those of
// set_tracer().

#pragma once

#include "buffer/trace_buffer.h"

namespace nophook {

Status change_clock(Buffer &buffer, const ClockName &wanted);
Status change_overwrite(Buffer &buffer, bool on);

} // namespace nophook
