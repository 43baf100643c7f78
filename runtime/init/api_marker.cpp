// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/trace_marker.h. A mark is an event like others: its slot is taken
// and written as write_event does, without a lock.

#define NOPHOOK_NO_SHORT_NAMES
#include <trace_marker.h>

#include "base/bytes.h"
#include "base/leb.h"
#include "buffer/buffer.h"

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

static long mark(uint8_t format, uint64_t ip, const void *data, size_t bytes) {
  uint8_t text[NOPHOOK_MARK_BYTES + 16];
  bytes = bytes < NOPHOOK_MARK_BYTES ? bytes : NOPHOOK_MARK_BYTES;
  if (!buffer_is_on())
    return -EBADF;
  uint8_t *at = text;
  *at++ = format;
  if (format == NOPHOOK_VALUES_TEXT)
    at = put_sleb(at, ip);
  at = put_uleb(at, bytes);
  copy_bytes(at, data, bytes);
  at += bytes;
  uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
  write_event({NOPHOOK_EVENT_CONTROL, signature, 0, 0, text, (uint32_t)(at - text)});
  return (long)bytes;
}

NOPHOOK_API long nophook_mark(unsigned long ip, const char *text, size_t bytes) {
  return mark(NOPHOOK_VALUES_TEXT, ip, text, bytes);
}

NOPHOOK_API long nophook_mark_raw(const void *data, size_t bytes) {
  if (bytes < sizeof(int))
    return -EINVAL;
  return mark(NOPHOOK_VALUES_RAW, 0, data, bytes);
}
