// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks: the program's own messages in the trace (nophook/buffer.h, MARK).

#pragma once

#include "base/status.h"

#include <nophook/buffer.h>

#include <stddef.h>
#include <stdint.h>

namespace nophook {

constexpr uint64_t kMarkBytes = 1000; // the most bytes of a mark; include/trace_marker.h

// Writes a mark to the main buffer, or to an instance's: NOPHOOK_VALUES_TEXT, with an address in
// the function that writes it or 0, or NOPHOOK_VALUES_RAW. A mark is an event like others: its slot
// is taken and written as write_event does, without a lock. Returns the number of bytes recorded,
// or -EBADF: tracing is off, or paused.
long write_mark(uint8_t format, uint64_t ip, const void *data, size_t bytes);
struct Buffer;
long write_mark(Buffer &buffer, uint8_t format, uint64_t ip, const void *data, size_t bytes);

// Reports a mark of the program itself to each array whose latencies are between marks, unless it
// is paused.
void tell_latencies(const char *text, size_t bytes);

// Writes the text of a write to trace_marker, of which it takes kMarkBytes at once, or to
// trace_marker_raw. Errors: EBADF; EINVAL, raw data of fewer bytes than their number has, or too
// many.
Status write_mark_file(Buffer &buffer, uint8_t format, const char *data, uint64_t bytes);

} // namespace nophook
