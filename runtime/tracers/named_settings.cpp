// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of settings: for each the array that has it, its kind of file, and the functions that
// read and show it.

#include "tracers/named_settings.h"

#include "base/bytes.h"
#include "base/limit_text.h"
#include "base/log.h"
#include "buffer/off_cpu.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"
#include "calls/calls.h"
#include "capture/counters.h"
#include "poke/perf_map.h"
#include "tracers/latency.h"
#include "tracers/tracer.h"
#include "tracers/usdt.h"

#include <nophook/settings.h>

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kMaxWaitMs = NOPHOOK_MOST_WAIT_MS;
constexpr const char *kSeparators = ", \t\n";

// Applies a setting that is a number, of the top level or of any array.
template <Status (*Set)(uint64_t)> Status number(trace_array &, const char *text, uint64_t bytes) {
  uint64_t value;
  NOPHOOK_TRY(read_decimal(text, bytes, &value));
  return Set(value);
}
template <Status (Rules::*Set)(uint64_t)>
Status rule(trace_array &tr, const char *text, uint64_t bytes) {
  uint64_t value;
  NOPHOOK_TRY(read_decimal(text, bytes, &value));
  return (tr.rules.*Set)(value);
}

// Applies a setting of the top level that is a text.
template <Status (*Set)(const char *, uint64_t)>
Status top(trace_array &, const char *text, uint64_t bytes) {
  return Set(text, bytes);
}
template <TracerFilter Which> Status filter(trace_array &tr, const char *text, uint64_t bytes) {
  return change_filter(tr, Which, text, bytes, true, kSeparators);
}
template <PublishedFilter Rules::*Which>
Status graph_filter(trace_array &tr, const char *text, uint64_t bytes) {
  Status status = (tr.rules.*Which).change(text, bytes, true, kSeparators);
  tr.rules.count();
  return status;
}
template <PidFilter Which> Status pids(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.rules.set_pids(Which, text, bytes, PidList::How::kReplace);
}
template <PidFilter Which> Status add_pids(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.rules.set_pids(Which, text, bytes, PidList::How::kAdd);
}
template <PidFilter Which> void show_pids(trace_array &tr, SettingText &text) {
  tr.rules.threads().list(Which).show(text, "no pid");
}

Status usdt(trace_array &, const char *text, uint64_t bytes) {
  return set_usdt_filter(text, bytes, kSeparators);
}

Status latency_functions(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.latency.set_functions(tr.buffer(), text, bytes);
}
Status latency_marks(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.latency.set_marks(tr.buffer(), text, bytes);
}
Status max_latency(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.latency.set_max(text, bytes);
}

Status perf_counters(trace_array &tr, const char *text, uint64_t bytes) {
  return read_perf_counters(text, bytes, &tr.perf_counters);
}

Status cpus(trace_array &tr, const char *text, uint64_t bytes) {
  return tr.rules.set_cpus(text, bytes);
}

Status tracing_on(trace_array &tr, const char *text, uint64_t bytes) {
  uint64_t on;
  NOPHOOK_TRY(read_decimal(text, bytes, &on));
  buffer_pause(on == 0, tr.buffer());
  return {};
}

Status function_fork(trace_array &, const char *text, uint64_t bytes) {
  if (bytes != 1 || (*text != '0' && *text != '1'))
    return failure(EINVAL, "the value must be 0 or 1");
  if (*text == '0')
    buffer_leave_children();
  return {};
}

Status calls(trace_array &, const char *text, uint64_t bytes) {
  uint64_t on;
  NOPHOOK_TRY(read_decimal(text, bytes, &on));
  if (on > 1)
    return failure(EINVAL, "the value must be 0 or 1");
  trace_calls(on == 1);
  // Before the first discovery there is nothing to do: it finds these modules.
  return first_module() ? take_new_modules() : Status{};
}

Status buffer_mode(trace_array &, const char *value, uint64_t bytes) {
  auto is = [&](const char *name) { return is_text(value, bytes, name); };
  uint64_t ms;
  if (g_buffer.header)
    return failure(EBUSY, "the buffer is in use: its buffer_mode cannot be changed");
  if (is("drop"))
    buffer_when_full(NOPHOOK_FULL_DROP, 0);
  else if (is("overwrite"))
    buffer_when_full(NOPHOOK_FULL_OVERWRITE, 0);
  else if (bytes > 5 && equal_bytes(value, "wait:", 5) &&
           read_decimal(value + 5, bytes - 5, &ms).ok() && ms <= kMaxWaitMs)
    buffer_when_full(NOPHOOK_FULL_WAIT, (uint32_t)ms);
  else
    return failure(
        EINVAL, limit_text<"the modes are drop, overwrite and wait:MS (at most ", kMaxWaitMs, ")">);
  return {};
}

void show_buffer_mode(trace_array &tr, SettingText &text) {
  const Buffer &buffer = tr.buffer();
  if (buffer.full == NOPHOOK_FULL_WAIT)
    text.add("wait:").number(buffer.wait_ms);
  else
    text.add(buffer.full == NOPHOOK_FULL_OVERWRITE ? "overwrite" : "drop");
}

// The contract's rows: name, and line of README.
#define NOPHOOK_LINE(name, at_first, line) {#name, line},
constexpr struct {
  const char *name, *line;
} kContract[] = {NOPHOOK_SETTINGS(NOPHOOK_LINE)};

constexpr const char *line_of(const char *name) {
  for (const auto &row : kContract)
    if (is_text(row.name, name))
      return row.line;
  return nullptr;
}

// The arrays that have a setting, and its kind of file in the tree.
constexpr auto kEvery = SettingScope::kEvery, kTop = SettingScope::kTop;
constexpr auto kNone = SettingFile::kNone, kPlain = SettingFile::kPlain, kOwn = SettingFile::kOwn;
#define NOPHOOK_SETTING(name) #name, line_of(#name)
constexpr Setting kSettings[] = {
    {NOPHOOK_SETTING(auto_notrace), kEvery, kPlain, rule<&Rules::set_auto_notrace>,
     [](auto &tr, auto &text) { text.number(tr.rules.auto_notrace()); }},
    {NOPHOOK_SETTING(buffer_mode), kTop, kNone, buffer_mode, show_buffer_mode},
    {NOPHOOK_SETTING(buffer_size_kb), kTop, kOwn, number<buffer_resize>,
     [](auto &tr, auto &text) { text.number(tr.buffer().kib); }},
    {NOPHOOK_SETTING(calls), kTop, kPlain, calls,
     [](auto &, auto &text) { text.number(calls_are_traced()); }},
    {NOPHOOK_SETTING(function_fork), kTop, kNone, function_fork, nullptr},
    {NOPHOOK_SETTING(log), kTop, kOwn, top<log_to>, nullptr},
    {NOPHOOK_SETTING(max_graph_depth), kEvery, kPlain, rule<&Rules::set_max_depth>,
     [](auto &tr, auto &text) { text.number(tr.rules.max_depth()); }},
    {NOPHOOK_SETTING(off_cpu), kTop, kPlain, number<set_off_cpu>,
     [](auto &, auto &text) { text.number(off_cpu_is_on()); }},
    {NOPHOOK_SETTING(perf_counters), kEvery, kPlain, perf_counters,
     [](auto &tr, auto &text) { show_perf_counters(tr.perf_counters, text); }},
    {NOPHOOK_SETTING(perf_map), kTop, kNone, number<set_perf_map>,
     [](auto &, auto &text) { text.number(perf_map_is_on()); }},
    {NOPHOOK_SETTING(set_ftrace_filter), kEvery, kOwn, filter<TracerFilter::kFilter>, nullptr},
    {NOPHOOK_SETTING(set_ftrace_notrace), kEvery, kOwn, filter<TracerFilter::kNotrace>, nullptr},
    {NOPHOOK_SETTING(set_ftrace_notrace_pid), kEvery, kPlain, pids<PidFilter::kNotrace>,
     show_pids<PidFilter::kNotrace>, add_pids<PidFilter::kNotrace>},
    {NOPHOOK_SETTING(set_ftrace_pid), kEvery, kPlain, pids<PidFilter::kPid>,
     show_pids<PidFilter::kPid>, add_pids<PidFilter::kPid>},
    {NOPHOOK_SETTING(set_graph_function), kEvery, kOwn, graph_filter<&Rules::roots>, nullptr},
    {NOPHOOK_SETTING(set_graph_notrace), kEvery, kOwn, graph_filter<&Rules::hidden>, nullptr},
    {NOPHOOK_SETTING(set_latency_function), kEvery, kPlain, latency_functions,
     [](auto &tr, auto &text) { tr.latency.show_functions(text); }},
    {NOPHOOK_SETTING(set_latency_marks), kEvery, kPlain, latency_marks,
     [](auto &tr, auto &text) { tr.latency.show_marks(text); }},
    {NOPHOOK_SETTING(set_usdt_filter), kTop, kOwn, usdt, nullptr},
    {NOPHOOK_SETTING(trace_clock), kTop, kOwn, top<set_clock>, nullptr},
    {NOPHOOK_SETTING(trace_options), kEvery, kOwn, read_trace_options, nullptr},
    {NOPHOOK_SETTING(tracing_cpumask), kEvery, kPlain, cpus,
     [](auto &tr, auto &text) { tr.rules.cpus().show(text); }},
    {NOPHOOK_SETTING(tracing_max_latency), kEvery, kPlain, max_latency,
     [](auto &tr, auto &text) { tr.latency.show_max(text); }},
    {NOPHOOK_SETTING(tracing_on), kEvery, kPlain, tracing_on,
     [](auto &tr, auto &text) { text.number(!buffer_is_paused(tr.buffer())); }},
    {NOPHOOK_SETTING(tracing_thresh), kEvery, kPlain, rule<&Rules::set_thresh_us>,
     [](auto &tr, auto &text) { text.number(tr.rules.thresh_us()); }},
};

// Whether the rows are in the contract's order; init/init.cpp makes the instances.
constexpr bool is_the_contract() {
  const Setting *setting = kSettings;
  for (const auto &row : kContract)
    if (!is_text(row.name, "trace_instance") && !is_text(row.name, (setting++)->name))
      return false;
  return setting == kSettings + sizeof kSettings / sizeof *kSettings;
}
static_assert(is_the_contract(), "the rows are those of nophook/settings.h, in that order");

} // namespace

Settings settings() {
  return {kSettings, kSettings + sizeof kSettings / sizeof *kSettings};
}

Status read_decimal(const char *text, uint64_t bytes, uint64_t *number) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < bytes; i++) {
    if (text[i] < '0' || text[i] > '9' || sum > (uint64_t{1} << 40))
      return failure(EINVAL, "a number is expected");
    sum = sum * 10 + (uint64_t)(text[i] - '0');
  }
  if (!bytes)
    return failure(EINVAL, "a number is expected");
  *number = sum;
  return {};
}

Status change_setting(trace_array &tr, const char *name, uint64_t name_bytes, const char *text,
                      uint64_t bytes) {
  for (const Setting &setting : kSettings) {
    if (!is_text(name, name_bytes, setting.name))
      continue;
    if (setting.scope == kEvery || tr.is_top())
      return setting.apply(tr, text, bytes);
  }
  return failure(ENOENT, "unknown setting");
}

} // namespace nophook
