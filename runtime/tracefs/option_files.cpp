// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace_options and options/*. Some say what is recorded: those are settings. Others say how the
// text looks: the process only keeps them, for who makes the text.

#include "base/lock.h"
#include "buffer/buffer.h"
#include "tracefs/control_file.h"
#include "tracefs/options.h"
#include "tracers/buffer_change.h"
#include "tracers/callbacks.h"
#include "tracers/instance.h"
#include "tracers/settings.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

struct Option {
  const char *name;
  bool is_on;        // a kept one: at first
  uint32_t recorded; // TraceOption; 0: it is kept here, or it is kOverwrite
};

// In the kernel's order, with its defaults.
constexpr Option kOptions[] = {
    {"print-parent", true, 0},
    {"sym-offset", false, 0},
    {"sym-addr", false, 0},
    {"record-tgid", false, 0},
    {"overwrite", false, 0},
    {"disable_on_free", false, 0},
    {"irq-info", true, 0},
    {"event-fork", false, kEventFork},
    {"function-fork", false, kFunctionFork},
    {"func_stack_trace", false, kFuncStackTrace},
    {"func-no-repeats", false, kFuncNoRepeats},
    {"func-args", false, kFuncArgs},
    {"funcgraph-overrun", false, 0},
    {"funcgraph-cpu", true, 0},
    {"funcgraph-overhead", true, 0},
    {"funcgraph-proc", false, 0},
    {"funcgraph-duration", true, 0},
    {"funcgraph-abstime", false, 0},
    {"funcgraph-tail", false, 0},
    {"funcgraph-retval", false, kFuncgraphRetval},
    {"funcgraph-retval-hex", false, 0},
    {"funcgraph-args", false, kFuncgraphArgs},
    {"sleep-time", true, 0},
    {"graph-time", true, 0},
};
constexpr uint32_t kCount = sizeof kOptions / sizeof *kOptions;
static_assert(kCount <= 64);

uint64_t g_changed = 0; // of those that are kept: others than at first

// A file's `which`: an option, of the main one or of an instance.
constexpr uint32_t kInstanceShift = 8;
uint64_t which_of(uint32_t instance, uint32_t option) {
  return (uint64_t)instance << kInstanceShift | option;
}
Instance *instance_of(uint64_t which) {
  auto number = (uint32_t)(which >> kInstanceShift);
  return number ? instance_numbered(number) : nullptr;
}
const Option &option_of(uint64_t which) {
  return kOptions[which % (1u << kInstanceShift)];
}
Buffer &its_buffer(uint64_t which) {
  return buffer_of(which >> kInstanceShift);
}
uint64_t &changed_of(uint64_t which) {
  Instance *instance = instance_of(which);
  return instance ? instance->changed_options : g_changed;
}
uint64_t bit_of(uint64_t which) {
  return uint64_t{1} << which % (1u << kInstanceShift);
}

bool equal(const char *name, const char *text, uint64_t bytes) {
  return text_length(name) == bytes && equal_bytes(name, text, bytes);
}

bool is_overwrite(const Option &option) {
  return equal(option.name, "overwrite", 9);
}

bool is_on(uint64_t which) {
  const Option &option = option_of(which);
  if (option.recorded) {
    const Instance *instance = instance_of(which);
    return (instance ? instance->recorded : g_trace_options) & option.recorded;
  }
  if (is_overwrite(option))
    return its_buffer(which).full == NOPHOOK_FULL_OVERWRITE;
  return option.is_on != (bool)(changed_of(which) & bit_of(which));
}

// Callbacks look at these at each call, and what some of them need is made when a tracer starts: so
// it is stopped while they change.
Status set_recorded(const Option &option, bool on) {
  Text<64> text;
  text.add(on ? "" : "no").add(option.name);
  if (option.recorded == kEventFork) { // not the tracer's
    RuntimeLock lock;
    return set_trace_options(text.c_str(), text.size());
  }
  const char *running;
  {
    RuntimeLock lock;
    running = current_tracer();
  }
  NOPHOOK_TRY(set_tracer("nop"));
  Status status;
  {
    RuntimeLock lock;
    status = set_trace_options(text.c_str(), text.size());
  }
  NOPHOOK_TRY(set_tracer(running));
  return status;
}

Status set_option(uint64_t which, bool on) {
  const Option &option = option_of(which);
  {
    RuntimeLock lock;
    if (is_on(which) == on)
      return {};
    if (equal(option.name, "sleep-time", 10))
      return failure(EINVAL, "what a call slept is not recorded: it is part of its time");
    if (!option.recorded && !is_overwrite(option)) {
      changed_of(which) ^= bit_of(which);
      return {};
    }
  }
  if (is_overwrite(option))
    return change_overwrite(its_buffer(which), on);
  Instance *instance = instance_of(which);
  if (!instance)
    return set_recorded(option, on);
  if (!(option.recorded & kInstanceOptions))
    return failure(EINVAL, "the option is for the main tracer alone");
  RuntimeLock lock;
  return set_instance_option(instance, option.recorded, on);
}

Status read_options(uint64_t first, ControlText &text) {
  RuntimeLock lock;
  for (uint32_t i = 0; i < kCount; i++)
    text.add(is_on(first + i) ? "" : "no").add(kOptions[i].name).add("\n");
  return {};
}

Status write_options(uint64_t first, const char *value, uint64_t bytes) {
  bool is_no = bytes > 2 && equal_bytes(value, "no", 2);
  for (uint32_t i = 0; i < kCount; i++) {
    if (equal(kOptions[i].name, value, bytes))
      return set_option(first + i, true);
    if (is_no && equal(kOptions[i].name, value + 2, bytes - 2))
      return set_option(first + i, false);
  }
  return failure(EINVAL, "there is no such option");
}

Status read_option(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  text.add(is_on(which) ? "1\n" : "0\n");
  return {};
}

Status write_option(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  if (number > 1)
    return failure(EINVAL, "an option is 0 or 1");
  return set_option(which, number);
}

} // namespace

bool trace_option(const char *name, uint32_t instance) {
  for (uint32_t i = 0; i < kCount; i++)
    if (equal(kOptions[i].name, name, text_length(name)))
      return is_on(which_of(instance, i));
  return false;
}

void visit_option_files(uint32_t instance, VisitFile visit, void *context) {
  for (uint32_t i = 0; i < kCount; i++) {
    Text<64> path;
    path.add("options/").add(kOptions[i].name);
    visit(context, {.path = path.c_str(),
                    .which = which_of(instance, i),
                    .read_of = read_option,
                    .write_of = write_option});
  }
  visit(context, {.path = "trace_options",
                  .which = which_of(instance, 0),
                  .read_of = read_options,
                  .write_of = write_options});
}

} // namespace nophook
