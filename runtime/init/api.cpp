// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h.

#define NOPHOOK_NO_SHORT_NAMES // here `notrace` is a filter
#include <ftrace.h>

#include "base/lock.h"
#include "ops/filter.h"
#include "tracers/tracer.h"

#include <string.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

static int set_global(Filter &filter, const unsigned char *text, int bytes, int reset) {
  RuntimeLock lock;
  uint64_t length = text && bytes > 0 ? (uint64_t)bytes : 0;
  Status status = filter.set(reinterpret_cast<const char *>(text), length, reset != 0, " \t\n");
  if (status.ok())
    status = refilter();
  return -status.error;
}

NOPHOOK_API int ftrace_set_global_filter(const unsigned char *text, int bytes, int reset) {
  return set_global(global_filters().filter, text, bytes, reset);
}

NOPHOOK_API int ftrace_set_global_notrace(const unsigned char *text, int bytes, int reset) {
  return set_global(global_filters().notrace, text, bytes, reset);
}

NOPHOOK_API int tracing_set_tracer(const char *name) {
  RuntimeLock lock;
  return -set_tracer(name).error;
}

NOPHOOK_API const char *tracing_get_tracer(void) {
  RuntimeLock lock;
  return current_tracer();
}
