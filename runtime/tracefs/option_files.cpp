// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace_options and options/*. Some options change the recorded events: these are settings. Others
// choose the form of the text: the process only keeps them, for readers that make the text.

#include "base/lock.h"
#include "buffer/off_cpu.h"
#include "buffer/trace_buffer.h"
#include "tracefs/control_file.h"
#include "tracefs/options.h"
#include "tracers/buffer_change.h"
#include "tracers/named_settings.h"
#include "tracers/trace_array.h"
#include "tracers/tracer.h"

#include <errno.h>
#include <nophook/option_names.h>

namespace nophook {
namespace {

struct Option {
  const char *name;
  bool is_on;        // for a kept option: whether it is on at first
  uint32_t recorded; // TraceOption; 0: it is kept here, or it is kOverwrite
};

#define RECORDED(option) option
#define NOT_RECORDED 0
#define ROW(name, is_on, recorded, shown) {name, is_on, recorded},
constexpr Option kOptions[] = {NOPHOOK_TRACE_OPTIONS(ROW)};
#undef ROW
#undef NOT_RECORDED
#undef RECORDED
constexpr uint32_t kCount = sizeof kOptions / sizeof *kOptions;
static_assert(kCount <= 64);

// The bit of the option that a file's `which` names.
uint64_t bit_of(uint64_t which) {
  return uint64_t{1} << which;
}

bool is_overwrite(const Option &option) {
  return is_text(option.name, "overwrite");
}

bool is_on(const trace_array &tr, uint64_t which) {
  const Option &option = kOptions[which];
  if (option.recorded)
    return tr.options & option.recorded;
  if (is_overwrite(option))
    return tr.buffer().full == NOPHOOK_FULL_OVERWRITE;
  return option.is_on != (bool)(tr.changed_options & bit_of(which));
}

Status set_option(FileTarget at, bool on) {
  const Option &option = kOptions[at.which];
  {
    RuntimeLock lock;
    if (is_on(at.array, at.which) == on)
      return {};
    if (is_text(option.name, "sleep-time") && !on && !off_cpu_is_on())
      return failure(EINVAL, "the time that a call slept is part of its time: it is recorded apart "
                             "with 1 in off_cpu");
    if (!option.recorded && !is_overwrite(option)) {
      at.array.changed_options ^= bit_of(at.which);
      return {};
    }
  }
  return is_overwrite(option) ? change_overwrite(at.array.buffer(), on)
                              : set_trace_option(at.array, option.recorded, on);
}

Status read_options(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  for (uint32_t i = 0; i < kCount; i++)
    text.add(is_on(at.array, i) ? "" : "no").add(kOptions[i].name).add("\n");
  return {};
}

Status write_named(FileTarget at, const char *value, uint64_t bytes) {
  bool is_no = bytes > 2 && equal_bytes(value, "no", 2);
  for (uint32_t i = 0; i < kCount; i++) {
    if (is_text(value, bytes, kOptions[i].name))
      return set_option({at.array, i}, true);
    if (is_no && is_text(value + 2, bytes - 2, kOptions[i].name))
      return set_option({at.array, i}, false);
  }
  return failure(EINVAL, "there is no such option");
}

// Writes one or several options: a client writes back the text that it has read.
Status write_options(FileTarget at, const char *value, uint64_t bytes) {
  auto is_space = [](char c) { return c == ' ' || c == '\n'; };
  for (uint64_t begin = 0, end; begin < bytes; begin = end + 1) {
    for (end = begin; end < bytes && !is_space(value[end]);)
      end++;
    if (end > begin)
      NOPHOOK_TRY(write_named(at, value + begin, end - begin));
  }
  return {};
}

Status read_option(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.add(is_on(at.array, at.which) ? "1\n" : "0\n");
  return {};
}

Status write_option(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  if (number > 1)
    return failure(EINVAL, "an option is 0 or 1");
  return set_option(at, number);
}

} // namespace

bool trace_option(const char *name, const trace_array &tr) {
  for (uint32_t i = 0; i < kCount; i++)
    if (is_text(name, kOptions[i].name))
      return is_on(tr, i);
  return false;
}

void visit_option_files(VisitFile visit, void *context) {
  for (uint32_t i = 0; i < kCount; i++) {
    Text<64> path;
    path.add("options/").add(kOptions[i].name);
    visit(context, {.path = path.c_str(), .which = i, .read = read_option, .write = write_option});
  }
  visit(context, {.path = "trace_options", .read = read_options, .write = write_options});
}

} // namespace nophook
