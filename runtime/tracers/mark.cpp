// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/mark.h"

#include "base/bytes.h"
#include "base/leb.h"
#include "buffer/buffer.h"

#include <errno.h>

namespace nophook {

long write_mark(uint8_t format, uint64_t ip, const void *data, size_t bytes) {
  uint8_t text[kMarkBytes + 16];
  bytes = bytes < kMarkBytes ? bytes : kMarkBytes;
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

} // namespace nophook
