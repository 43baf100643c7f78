// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of an instance, by the names and with the meaning of those of the main tree. `which` of
// each is the instance's number.

#include "base/lock.h"
#include "events/mark_event.h"
#include "tracefs/control_file.h"
#include "tracers/instance.h"
#include "tracers/mark.h"
#include "tracers/settings.h"

#include <errno.h>

namespace nophook {
namespace {

Instance *of(uint64_t which) {
  return instance_numbered((uint32_t)which);
}

Status read_tracers(uint64_t, ControlText &text) {
  for (uint32_t i = instance_tracer_count(); i-- > 0;)
    text.add(instance_tracer_name(i)).add(i ? " " : "\n");
  return {};
}

Status read_tracer(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  text.add(of(which)->tracer).add("\n");
  return {};
}

// A tracer begins with an empty buffer, and `nop` leaves what is in it.
Status write_tracer(uint64_t which, const char *value, uint64_t bytes) {
  Text<64> name;
  name.add(value, bytes);
  const char *before;
  {
    RuntimeLock lock;
    before = of(which)->tracer;
  }
  NOPHOOK_TRY(set_instance_tracer(of(which), name.c_str()));
  RuntimeLock lock;
  if (of(which)->tracer != before && of(which)->tracer != instance_tracer_name(0))
    buffer_clear(of(which)->buffer);
  return {};
}

Status read_tracing_on(uint64_t which, ControlText &text) {
  text.add(buffer_is_paused(of(which)->buffer) ? "0\n" : "1\n");
  return {};
}

Status write_tracing_on(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  RuntimeLock lock;
  buffer_pause(number == 0, of(which)->buffer);
  return {};
}

Status write_words(uint64_t which, const char *text, uint64_t bytes) {
  NOPHOOK_TRY(write_mark_file(of(which)->buffer, NOPHOOK_VALUES_TEXT, text, bytes));
  run_mark_triggers((uint32_t)which, text, bytes);
  return {};
}

Status write_raw(uint64_t which, const char *data, uint64_t bytes) {
  return write_mark_file(of(which)->buffer, NOPHOOK_VALUES_RAW, data, bytes);
}

template <PidFilter Which> Status read_pids(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  of(which)->threads.list(Which).show(text, "no pid");
  text.add("\n");
  return {};
}

template <PidFilter Which> Status write_pids(uint64_t which, const char *text, uint64_t bytes) {
  RuntimeLock lock;
  return of(which)->threads.list(Which).change(text, bytes, PidList::How::kAdd);
}

template <PidFilter Which> Status truncate_pids(uint64_t which) {
  RuntimeLock lock;
  of(which)->threads.list(Which).clear();
  return {};
}

Status read_cpus(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  of(which)->cpus.show(text);
  text.add("\n");
  return {};
}

Status write_cpus(uint64_t which, const char *text, uint64_t bytes) {
  RuntimeLock lock;
  return of(which)->cpus.set(text, bytes);
}

template <TracerFilter Which>
constexpr FunctionSet kSet = {
    .find = [](uint64_t which,
               Filter **filter) { return instance_filter(of(which), Which, filter); },
    .replace = [](uint64_t which,
                  Filter *changed) { return replace_instance_filter(of(which), Which, changed); },
    .settle = nullptr,
    .takes_commands = Which == TracerFilter::kFilter};

Status read_filter(uint64_t which, ControlText &text) {
  return read_function_set(kSet<TracerFilter::kFilter>, which, (uint32_t)which,
                           "#### all functions enabled ####\n", text);
}

Status read_notrace(uint64_t which, ControlText &text) {
  return read_function_set(kSet<TracerFilter::kNotrace>, which, (uint32_t)which,
                           "#### no functions disabled ####\n", text);
}

constexpr auto kMessage = ControlFile::Kind::kMessage;
constexpr auto kFunctions = ControlFile::Kind::kFunctions;

constexpr ControlFile kFiles[] = {
    {.path = "available_tracers", .read_of = read_tracers},
    {.path = "current_tracer", .read_of = read_tracer, .write_of = write_tracer},
    {.path = "set_ftrace_filter",
     .kind = kFunctions,
     .read_of = read_filter,
     .functions = &kSet<TracerFilter::kFilter>},
    {.path = "set_ftrace_notrace",
     .kind = kFunctions,
     .read_of = read_notrace,
     .functions = &kSet<TracerFilter::kNotrace>},
    {.path = "set_ftrace_notrace_pid",
     .read_of = read_pids<PidFilter::kNotrace>,
     .write_of = write_pids<PidFilter::kNotrace>,
     .truncate = truncate_pids<PidFilter::kNotrace>},
    {.path = "set_ftrace_pid",
     .read_of = read_pids<PidFilter::kPid>,
     .write_of = write_pids<PidFilter::kPid>,
     .truncate = truncate_pids<PidFilter::kPid>},
    {.path = "trace_marker", .kind = kMessage, .most_bytes = kMarkBytes, .write_of = write_words},
    {.path = "trace_marker_raw", .kind = kMessage, .write_of = write_raw},
    {.path = "tracing_cpumask", .read_of = read_cpus, .write_of = write_cpus},
    {.path = "tracing_on", .read_of = read_tracing_on, .write_of = write_tracing_on},
};

} // namespace

void visit_instance_files(uint32_t instance, VisitFile visit, void *context) {
  for (ControlFile file : kFiles) {
    file.which = instance;
    visit(context, file);
  }
  visit_buffer_files(instance, visit, context);
  visit_error_log(instance, visit, context);
  visit_event_files(instance, visit, context);
  visit_option_files(instance, visit, context);
  visit_set_event_files(instance, visit, context);
}

} // namespace nophook
