// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of an array that choose what is recorded. Callbacks read them at each call, so the
// data that an option needs is prepared before its bit is set.

#include "base/bytes.h"
#include "base/lock.h"
#include "capture/capture_plan.h"
#include "tracers/callbacks.h"
#include "tracers/tracer.h"

#include <errno.h>
#include <nophook/option_names.h>

namespace nophook {
namespace {

constexpr struct {
  const char *name;
  TraceOption option;
} kNames[] = {
#define NOT_RECORDED
#define RECORDED(option) option
#define ROW(name, is_on, recorded, shown) ROW_IF(name, recorded)
#define ROW_IF(name, ...) __VA_OPT__({name, __VA_ARGS__}, )
    NOPHOOK_TRACE_OPTIONS(ROW)
#undef ROW_IF
#undef ROW
#undef RECORDED
};

constexpr char kUnknown[] = "unknown option; these are settings:"
#define RECORDED(option) option
#define ROW(name, is_on, recorded, shown) ROW_IF(name, recorded)
#define ROW_IF(name, ...) __VA_OPT__(" " name)
    NOPHOOK_TRACE_OPTIONS(ROW);
#undef ROW_IF
#undef ROW
#undef RECORDED
#undef NOT_RECORDED

void store_options(trace_array &tr, uint32_t options) {
  // Repetitions are counted from 0 again: calls in the meantime were not seen.
  __atomic_store_n(&tr.starts, tr.starts + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&tr.options, options, __ATOMIC_RELEASE); // pairs with options_now()
  tr.renew_beyond_plain();
  tr.rules.set_function_fork(options & kFunctionFork);
}

Status read_trace_option(trace_array &tr, const char *text, uint64_t bytes) {
  for (const auto &option : kNames) {
    bool is_no =
        bytes > 2 && equal_bytes(text, "no", 2) && is_text(text + 2, bytes - 2, option.name);
    if (is_no || is_text(text, bytes, option.name)) {
      store_options(tr, is_no ? tr.options & ~(uint32_t)option.option : tr.options | option.option);
      return {};
    }
  }
  return failure(EINVAL, kUnknown);
}

} // namespace

Status set_trace_option(trace_array &tr, uint32_t options, bool on) {
  {
    RuntimeLock lock;
    uint32_t wanted = on && tr.tracer ? options & tr.tracer->options : 0;
    if (wanted)
      NOPHOOK_TRY(prepare_options(wanted));
    if (wanted & kValueOptions)
      NOPHOOK_TRY(prepare_capture_plans());
    store_options(tr, on ? tr.options | options : tr.options & ~options);
  }
  return follow_settings(tr);
}

Status read_trace_options(trace_array &tr, const char *text, uint64_t bytes) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != ',';)
      end++;
    if (end > at)
      NOPHOOK_TRY(read_trace_option(tr, text + at, end - at));
  }
  return {};
}

} // namespace nophook
