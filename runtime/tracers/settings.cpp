// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/settings.h"

#include "base/bytes.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "poke/perf_map.h"
#include "tracers/callbacks.h"
#include "tracers/counters.h"
#include "tracers/latency.h"
#include "tracers/rates.h"
#include "tracers/rules.h"
#include "tracers/tracer.h"
#include "tracers/usdt.h"

#include <nophook/settings.h>

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kMaxWaitMs = 10000;
constexpr const char *kSeparators = ", \t\n";

using Apply = Status (*)(const char *text, uint64_t bytes);

// A setting that is a number.
template <Status (*Set)(uint64_t)> Status number(const char *text, uint64_t bytes) {
  uint64_t value;
  NOPHOOK_TRY(read_decimal(text, bytes, &value));
  NOPHOOK_TRY(Set(value));
  count_rules();
  return {};
}

template <TracerFilter Which> Status filter(const char *text, uint64_t bytes) {
  return change_filter(Which, text, bytes, true, kSeparators);
}
template <GraphFilter Which> Status graph_filter(const char *text, uint64_t bytes) {
  return change_graph_filter(Which, text, bytes, true, kSeparators);
}
template <PidFilter Which> Status pids(const char *text, uint64_t bytes) {
  return set_filter_pids(Which, text, bytes, PidList::How::kReplace);
}

Status usdt(const char *text, uint64_t bytes) {
  return set_usdt_filter(text, bytes, kSeparators);
}

Status buffer_mode(const char *value, uint64_t bytes) {
  auto is = [&](const char *name) {
    return text_length(name) == bytes && equal_bytes(value, name, bytes);
  };
  uint64_t ms;
  if (g_buffer.header)
    return failure(EBUSY, "the buffer is in use: what it does when it is full was chosen before");
  if (is("drop"))
    buffer_when_full(NOPHOOK_FULL_DROP, 0);
  else if (is("overwrite"))
    buffer_when_full(NOPHOOK_FULL_OVERWRITE, 0);
  else if (bytes > 5 && equal_bytes(value, "wait:", 5) &&
           read_decimal(value + 5, bytes - 5, &ms).ok() && ms <= kMaxWaitMs)
    buffer_when_full(NOPHOOK_FULL_WAIT, (uint32_t)ms);
  else
    return failure(EINVAL, "the modes are drop, overwrite and wait:MS (at most 10000)");
  return {};
}

template <PidFilter Which> void show_pids(SettingText &text) {
  show_filter_pids(Which, text);
}

void show_perf_map(SettingText &text) {
  text.number(perf_map_is_on());
}

void show_auto_notrace(SettingText &text) {
  text.number(auto_notrace());
}

void show_buffer_size(SettingText &text) {
  text.number(g_buffer.kib);
}

void show_buffer_mode(SettingText &text) {
  if (g_buffer.full == NOPHOOK_FULL_WAIT)
    text.add("wait:").number(g_buffer.wait_ms);
  else
    text.add(g_buffer.full == NOPHOOK_FULL_OVERWRITE ? "overwrite" : "drop");
}

struct Setting {
  const char *name;
  Apply apply;
  void (*show)(SettingText &text) = nullptr;
};
constexpr Setting kSettings[] = {
    {"auto_notrace", number<set_auto_notrace>, show_auto_notrace},
    {"buffer_mode", buffer_mode, show_buffer_mode},
    {"buffer_size_kb", number<buffer_resize>, show_buffer_size},
    {"max_graph_depth", number<set_max_graph_depth>, show_max_graph_depth},
    {"perf_counters", set_perf_counters, show_perf_counters},
    {"perf_map", number<set_perf_map>, show_perf_map},
    {"set_ftrace_filter", filter<TracerFilter::kFilter>},
    {"set_ftrace_notrace", filter<TracerFilter::kNotrace>},
    {"set_ftrace_notrace_pid", pids<PidFilter::kNotrace>, show_pids<PidFilter::kNotrace>},
    {"set_ftrace_pid", pids<PidFilter::kPid>, show_pids<PidFilter::kPid>},
    {"set_latency_function", set_latency_functions, show_latency_functions},
    {"set_latency_marks", set_latency_marks, show_latency_marks},
    {"tracing_max_latency", set_max_latency, show_max_latency},
    {"set_graph_function", graph_filter<GraphFilter::kFunction>},
    {"set_graph_notrace", graph_filter<GraphFilter::kNotrace>},
    {"set_usdt_filter", usdt},
    {"trace_clock", set_clock},
    {"trace_options", set_trace_options},
    {"tracing_cpumask", set_cpu_mask, show_cpu_mask},
    {"tracing_thresh", number<set_tracing_thresh>, show_tracing_thresh},
};

constexpr const char *kNames[] = {NOPHOOK_SETTING_NAMES};
constexpr bool is_same(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}
constexpr bool all_are_in_the_contract() {
  for (const Setting &setting : kSettings) {
    bool is_there = false;
    for (const char *name : kNames)
      is_there |= is_same(name, setting.name);
    if (!is_there)
      return false;
  }
  return true;
}
static_assert(all_are_in_the_contract());

} // namespace

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

static const Setting *find_setting(const char *name, uint64_t bytes) {
  for (const Setting &setting : kSettings)
    if (text_length(setting.name) == bytes && equal_bytes(setting.name, name, bytes))
      return &setting;
  return nullptr;
}

Status change_setting(const char *name, uint64_t name_bytes, const char *text, uint64_t bytes) {
  const Setting *setting = find_setting(name, name_bytes);
  return setting ? setting->apply(text, bytes) : failure(ENOENT, "unknown setting");
}

Status read_setting(const char *name, uint64_t name_bytes, SettingText *text) {
  const Setting *setting = find_setting(name, name_bytes);
  if (!setting || !setting->show)
    return failure(ENOENT, "unknown setting");
  setting->show(*text);
  text->add("\n");
  return {};
}

} // namespace nophook
