// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a mark as an event, and reports it to latencies that begin or end with marks.

#include "tracers/mark.h"

#include "base/bytes.h"
#include "base/leb.h"
#include "base/limit_text.h"
#include "buffer/trace_buffer.h"
#include "ops/thread.h"
#include "tracers/trace_array.h"

#include <errno.h>

namespace nophook {

namespace {

// Whether marks go into this buffer: a fork child's header is the parent's until its first event.
bool takes_marks(const Buffer &buffer) {
  return __atomic_load_n(&buffer.tracing, __ATOMIC_RELAXED) &&
         !(buffer_is_own(buffer) && buffer_is_paused(buffer));
}

} // namespace

long write_mark(uint8_t format, uint64_t ip, const void *data, size_t bytes) {
  return write_mark(g_buffer, format, ip, data, bytes);
}

long write_mark(Buffer &buffer, uint8_t format, uint64_t ip, const void *data, size_t bytes) {
  uint8_t text[kMarkBytes + 16];
  bytes = bytes < kMarkBytes ? bytes : kMarkBytes;
  if (!takes_marks(buffer))
    return -EBADF;
  uint8_t *at = text;
  *at++ = format;
  if (format == NOPHOOK_VALUES_TEXT)
    at = put_sleb(at, ip);
  at = put_uleb(at, bytes);
  copy_bytes(at, data, bytes);
  at += bytes;
  uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
  const NewEvent event = {NOPHOOK_EVENT_CONTROL, signature, 0, 0, text, (uint32_t)(at - text)};
  write_event(buffer, event);
  return (long)bytes;
}

void tell_latencies(const char *text, size_t bytes) {
  if (!arrays_with_latency_marks())
    return;
  run_as_callback([=] { // keeps an instance from being removed in the meantime
    for (uint32_t left = arrays_with_latency_marks(); left; left &= left - 1) {
      trace_array &tr = array_numbered((uint32_t)__builtin_ctz(left));
      if (takes_marks(tr.buffer()))
        tr.latency.at_mark(text, bytes);
    }
  });
}

Status write_mark_file(Buffer &buffer, uint8_t format, const char *data, uint64_t bytes) {
  if (format == NOPHOOK_VALUES_RAW && bytes < sizeof(int))
    return failure(EINVAL, "raw data begin with a number of four bytes");
  if (format == NOPHOOK_VALUES_RAW && bytes > kMarkBytes)
    return failure(EINVAL, limit_text<"raw data have ", kMarkBytes, " bytes at most">);
  long result = write_mark(buffer, format, 0, data, bytes);
  return result >= 0 ? Status{} : failure((int)-result, "tracing is off");
}

} // namespace nophook
