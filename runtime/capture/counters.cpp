// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads software counters by system calls, and stores their growth behind an exit.

#include "capture/counters.h"

#include "base/few_calls.h"
#include "base/leb.h"
#include "base/limit_text.h"
#include "base/syscall.h"
#include "capture/hardware_counters.h"
#include "ops/thread.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

namespace nophook {

namespace {

constexpr const char *kNames[] = {NOPHOOK_COUNTER_NAMES};
constexpr uint32_t kSoftwareCounters = NOPHOOK_COUNTER_CYCLES - 1;
static_assert(sizeof kNames / sizeof *kNames == NOPHOOK_COUNTERS);
static_assert(kSoftwareCounters + kHardwareCounters == NOPHOOK_COUNTERS);

// The number of set bits. The compiler's own function may be a call.
constexpr uint32_t count_bits(uint32_t bits) {
  uint32_t count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

constexpr uint32_t bit(uint32_t counter) {
  return 1u << (counter - 1);
}

constexpr uint32_t kSoftware = bit(kSoftwareCounters + 1) - 1;
constexpr uint32_t kClock = bit(NOPHOOK_COUNTER_TASK_CLOCK);

constexpr uint32_t hardware_of(uint32_t which) {
  return which >> kSoftwareCounters;
}

uint32_t find(const char *text, uint64_t bytes) {
  for (uint32_t i = 0; i < NOPHOOK_COUNTERS; i++)
    if (is_text(text, bytes, kNames[i]))
      return 1u << i;
  return 0;
}

// Fills the values of the counters of `which` one by one.
class Values {
public:
  Values(uint32_t array, uint32_t which, CounterValues *values)
      : array_(array), which_(which), values_(values) {
    values->known = 0;
    values->tid = this_thread()->tid;
  }

  void software() {
    if (which_ & kClock)
      read_clock();
    if (which_ & kSoftware & ~kClock)
      read_usage();
  }

  void hardware() {
    if (!hardware_of(which_))
      return;
    uint32_t before = count_bits(which_ & kSoftware);
    values_->known |= read_hardware_counters(array_, values_->of + before) << before;
  }

private:
  void keep(uint32_t counter, uint64_t value) {
    if (!(which_ & bit(counter)))
      return;
    uint32_t index = count_bits(which_ & (bit(counter) - 1));
    values_->of[index] = value;
    values_->known |= 1u << index;
  }

  void read_clock() {
    struct timespec now;
    if (!sys_failed(sys(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now)))
      keep(NOPHOOK_COUNTER_TASK_CLOCK, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
  }

  void read_usage() {
    struct rusage usage; // not `= {}`, which may be a call of libc's memset, with vector registers
    if (has_few_calls() || sys_failed(sys(SYS_getrusage, RUSAGE_THREAD, &usage)))
      return;
    auto minor = (uint64_t)usage.ru_minflt, major = (uint64_t)usage.ru_majflt;
    keep(NOPHOOK_COUNTER_PAGE_FAULTS, minor + major);
    keep(NOPHOOK_COUNTER_MINOR_FAULTS, minor);
    keep(NOPHOOK_COUNTER_MAJOR_FAULTS, major);
    keep(NOPHOOK_COUNTER_CONTEXT_SWITCHES, (uint64_t)(usage.ru_nvcsw + usage.ru_nivcsw));
  }

  uint32_t array_;
  uint32_t which_;
  CounterValues *values_;
};

} // namespace

Status read_perf_counters(const char *text, uint64_t bytes, uint32_t *which) {
  uint32_t chosen = 0;
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != ',';)
      end++;
    uint32_t found = find(text + at, end - at);
    if (end > at && !found)
      return failure(EINVAL,
                     "unknown counter (task-clock, page-faults, minor-faults, major-faults, "
                     "context-switches; hardware: cycles, instructions, cache-references, "
                     "cache-misses, branches, branch-misses, bus-cycles, stalled-cycles-frontend, "
                     "stalled-cycles-backend, ref-cycles)");
    chosen |= found;
  }
  if (count_bits(chosen) > kMostCounters)
    return failure(ENOSPC, limit_text<"more than ", kMostCounters, " counters at once">);
  if (hardware_of(chosen))
    NOPHOOK_TRY(check_hardware_counters(hardware_of(chosen)));
  *which = chosen;
  return {};
}

void show_perf_counters(uint32_t which, Text<4096> &text) {
  const char *separator = "";
  for (uint32_t i = 0; i < NOPHOOK_COUNTERS; i++)
    if (which >> i & 1) {
      text.add(separator).add(kNames[i]);
      separator = ",";
    }
}

void choose_counters(uint32_t array, uint32_t which) {
  choose_hardware_counters(array, hardware_of(which));
}

// Reads the counters. Hardware's are read last on entry and first on exit, so that they do not
// count the reading of the others.
void read_counters(uint32_t array, uint32_t which, CounterValues *values) {
  Values reader(array, which, values);
  reader.software();
  reader.hardware();
}

void read_growth(uint32_t array, uint32_t which, CounterValues *values) {
  if (values->tid != this_thread()->tid) {
    values->known = 0;
    return;
  }
  CounterValues now;
  Values reader(array, which, &now);
  reader.hardware();
  reader.software();
  values->known &= now.known;
  for (uint32_t i = 0; i < kMostCounters; i++)
    if (values->known >> i & 1)
      values->of[i] = now.of[i] - values->of[i];
}

uint8_t *put_counters(uint8_t *at, uint32_t which, const CounterValues &growth) {
  *at++ = NOPHOOK_VALUES_COUNTERS;
  for (uint32_t counter = 1, i = 0; counter <= NOPHOOK_COUNTERS; counter++) {
    if (!(which & bit(counter)))
      continue;
    if (growth.known >> i & 1) {
      *at++ = (uint8_t)counter;
      at = put_uleb(at, growth.of[i]);
    }
    i++;
  }
  *at++ = 0;
  return at;
}

} // namespace nophook
