// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/counters.h"

#include "base/leb.h"
#include "base/syscall.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

namespace nophook {

uint32_t g_perf_counters = 0;

namespace {

constexpr struct {
  const char *name;
  uint32_t counter;
} kNames[] = {
    {"task-clock", NOPHOOK_COUNTER_TASK_CLOCK},
    {"page-faults", NOPHOOK_COUNTER_PAGE_FAULTS},
    {"minor-faults", NOPHOOK_COUNTER_MINOR_FAULTS},
    {"major-faults", NOPHOOK_COUNTER_MAJOR_FAULTS},
    {"context-switches", NOPHOOK_COUNTER_CONTEXT_SWITCHES},
};
static_assert(sizeof kNames / sizeof *kNames == NOPHOOK_COUNTERS);

constexpr uint32_t bit(uint32_t counter) {
  return 1u << (counter - 1);
}

uint32_t find(const char *text, uint64_t bytes) {
  for (const auto &known : kNames)
    if (text_length(known.name) == bytes && equal_bytes(text, known.name, bytes))
      return bit(known.counter);
  return 0;
}

} // namespace

Status set_perf_counters(const char *text, uint64_t bytes) {
  uint32_t chosen = 0;
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != ',';)
      end++;
    uint32_t found = find(text + at, end - at);
    if (end > at && !found)
      return failure(EINVAL, "unknown counter (task-clock, page-faults, minor-faults, "
                             "major-faults, context-switches; no hardware counters)");
    chosen |= found;
  }
  g_perf_counters = chosen;
  return {};
}

void show_perf_counters(Text<4096> &text) {
  const char *separator = "";
  for (const auto &known : kNames)
    if (g_perf_counters & bit(known.counter)) {
      text.add(separator).add(known.name);
      separator = ",";
    }
}

void read_counters(uint32_t which, CounterValues *values) {
  if (which & ~bit(NOPHOOK_COUNTER_TASK_CLOCK)) {
    struct rusage usage; // not = {}: that may be libc's memset, by vector registers
    if (sys_failed(sys(SYS_getrusage, RUSAGE_THREAD, &usage)))
      return;
    auto minor = (uint64_t)usage.ru_minflt, major = (uint64_t)usage.ru_majflt;
    values->of[NOPHOOK_COUNTER_PAGE_FAULTS] = minor + major;
    values->of[NOPHOOK_COUNTER_MINOR_FAULTS] = minor;
    values->of[NOPHOOK_COUNTER_MAJOR_FAULTS] = major;
    values->of[NOPHOOK_COUNTER_CONTEXT_SWITCHES] = (uint64_t)(usage.ru_nvcsw + usage.ru_nivcsw);
  }
  if (which & bit(NOPHOOK_COUNTER_TASK_CLOCK)) {
    struct timespec now;
    if (sys_failed(sys(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now)))
      return;
    values->of[NOPHOOK_COUNTER_TASK_CLOCK] =
        (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  }
}

void read_growth(uint32_t which, CounterValues *values) {
  CounterValues now;
  read_counters(which, &now);
  for (uint32_t counter = 1; counter <= NOPHOOK_COUNTERS; counter++)
    if (which & bit(counter))
      values->of[counter] = now.of[counter] - values->of[counter];
}

uint8_t *put_counters(uint8_t *at, uint32_t which, const CounterValues &growth) {
  *at++ = NOPHOOK_VALUES_COUNTERS;
  for (uint32_t counter = 1; counter <= NOPHOOK_COUNTERS; counter++)
    if (which & bit(counter)) {
      *at++ = (uint8_t)counter;
      at = put_uleb(at, growth.of[counter]);
    }
  *at++ = 0;
  return at;
}

} // namespace nophook
