// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that are about tracers.

#define NOPHOOK_NO_SHORT_NAMES // here `notrace` is a filter
#include <ftrace.h>

#include "base/lock.h"
#include "ops/ops.h"
#include "tracers/tracer.h"

#include <errno.h>
#include <string.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

static int set_global(TracerFilter which, const unsigned char *text, int bytes, int reset) {
  Status status;
  {
    RuntimeLock lock;
    status = change_filter(top_array(), which, reinterpret_cast<const char *>(text),
                           text && bytes > 0 ? (uint64_t)bytes : 0, reset != 0, " \t\n");
  }
  reclaim();
  if (status.ok())
    status = follow_settings(top_array()); // the text may have a rule of rates
  return -status.error;
}

NOPHOOK_API int ftrace_set_global_filter(const unsigned char *text, int bytes, int reset) {
  if (must_not_lock())
    return -EBUSY;
  return set_global(TracerFilter::kFilter, text, bytes, reset);
}

NOPHOOK_API int ftrace_set_global_notrace(const unsigned char *text, int bytes, int reset) {
  if (must_not_lock())
    return -EBUSY;
  return set_global(TracerFilter::kNotrace, text, bytes, reset);
}

NOPHOOK_API int tracing_set_tracer(const char *name) {
  if (must_not_lock())
    return -EBUSY;
  return -set_tracer(top_array(), name).error;
}

NOPHOOK_API const char *tracing_get_tracer(void) {
  RuntimeLock lock;
  return current_tracer(top_array());
}
