// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/trace_marker.h.

#define NOPHOOK_NO_SHORT_NAMES
#include <trace_marker.h>

#include "tracers/mark.h"

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

static_assert(NOPHOOK_MARK_BYTES == kMarkBytes);

NOPHOOK_API long nophook_mark(unsigned long ip, const char *text, size_t bytes) {
  long written = write_mark(NOPHOOK_VALUES_TEXT, ip, text, bytes);
  tell_latencies(text, bytes);
  return written;
}

NOPHOOK_API long nophook_mark_raw(const void *data, size_t bytes) {
  if (bytes < sizeof(int))
    return -EINVAL;
  return write_mark(NOPHOOK_VALUES_RAW, 0, data, bytes);
}
