// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/rules.h"

#include "base/syscall.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "tracers/profile.h"
#include "tracers/rates.h"
#include "tracers/thread.h"

#include <errno.h>
#include <unistd.h>

namespace nophook {

Rules g_rules;

namespace {

constexpr uint32_t kMaxPids = 64;
constexpr uint32_t kMaxCpus = 8192;

struct PidList {
  uint32_t count;
  int32_t ids[kMaxPids];

  bool has(int32_t id) const {
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++)
      found = __atomic_load_n(&ids[i], __ATOMIC_RELAXED) == id;
    return found;
  }
};

// Of threads. A verdict that was made of an older epoch does not count, so a list may be read while
// it is written.
PidList g_pids, g_not_pids;
uint32_t g_epoch = 1;
bool g_function_fork = false;

bool g_has_cpu_mask = false;
uint64_t g_cpus[kMaxCpus / 64];

uint64_t g_thresh_us = 0;

Status read_ids(const char *text, uint64_t bytes, PidList *list) {
  for (uint64_t at = 0; at < bytes;) {
    if (text[at] == ',' || text[at] == ' ' || text[at] == '\n') {
      at++;
      continue;
    }
    uint64_t id = 0, begin = at;
    while (at < bytes && text[at] >= '0' && text[at] <= '9' && id <= INT32_MAX)
      id = id * 10 + (uint64_t)(text[at++] - '0');
    bool is_end = at == bytes || text[at] == ',' || text[at] == ' ' || text[at] == '\n';
    if (at == begin || !is_end || id > INT32_MAX || !id)
      return failure(EINVAL, "numbers of threads or processes are expected");
    if (list->count == kMaxPids)
      return failure(EINVAL, "more than 64 threads and processes");
    list->ids[list->count++] = (int32_t)id;
  }
  return {};
}

bool is_chosen(TracerThread *thread) {
  uint32_t epoch = __atomic_load_n(&g_epoch, __ATOMIC_ACQUIRE);
  if (thread->epoch == epoch)
    return thread->is_chosen;
  bool verdict;
  if (!g_function_fork || !inherited_verdict(epoch, &verdict)) {
    auto pid = (int32_t)sys(SYS_getpid), tid = (int32_t)sys(SYS_gettid);
    verdict = (!g_pids.count || g_pids.has(tid) || g_pids.has(pid)) && !g_not_pids.has(tid) &&
              !g_not_pids.has(pid);
  }
  remember_verdict(epoch, verdict);
  thread->is_chosen = verdict;
  thread->epoch = epoch;
  return verdict;
}

int32_t hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

void count_rules() {
  Rules &r = g_rules;
  bool in_graph = r.max_depth || r.roots.is_set() || r.hidden.is_set() || g_thresh_us;
  r.in_graph = in_graph;
  r.any = in_graph || g_pids.count || g_not_pids.count || g_has_cpu_mask || has_rates();
}

bool has_rules_beside_thresh() {
  const Rules &r = g_rules;
  return r.max_depth || r.roots.is_set() || r.hidden.is_set() || g_pids.count || g_not_pids.count ||
         g_has_cpu_mask || has_rates();
}

Status set_max_graph_depth(uint64_t depth) {
  if (depth > kMaxGraphDepth)
    return failure(EINVAL, "a depth is at most 256; 0 is no limit");
  __atomic_store_n(&g_rules.max_depth, (uint32_t)depth, __ATOMIC_RELAXED);
  count_rules();
  return {};
}

Status set_tracing_thresh(uint64_t us) {
  if (us > 3600000000)
    return failure(EINVAL, "a threshold is at most an hour");
  g_thresh_us = us;
  count_rules();
  return {};
}

Status change_graph_filter(GraphFilter which, const char *text, uint64_t bytes, bool reset,
                           const char *separators) {
  PublishedFilter &filter = which == GraphFilter::kFunction ? g_rules.roots : g_rules.hidden;
  Status status = filter.change(text, bytes, reset, separators);
  count_rules();
  return status;
}

Status set_filter_pids(PidFilter which, const char *text, uint64_t bytes) {
  PidList list = {};
  NOPHOOK_TRY(read_ids(text, bytes, &list));
  PidList &to = which == PidFilter::kPid ? g_pids : g_not_pids;
  for (uint32_t i = 0; i < list.count; i++)
    __atomic_store_n(&to.ids[i], list.ids[i], __ATOMIC_RELAXED);
  to.count = list.count;
  __atomic_store_n(&g_epoch, g_epoch + 1, __ATOMIC_RELEASE);
  count_rules();
  return {};
}

void set_function_fork(bool on) {
  g_function_fork = on;
}

// Hexadecimal, the lowest CPUs last, with a comma where somebody likes one.
Status set_cpu_mask(const char *text, uint64_t bytes) {
  uint64_t mask[kMaxCpus / 64] = {};
  uint64_t bit = 0;
  for (uint64_t i = bytes; i-- > 0;) {
    if (text[i] == ',' || (text[i] == '\n' && i + 1 == bytes))
      continue;
    int32_t digit = hex_digit(text[i]);
    if (digit < 0 || bit >= kMaxCpus)
      return failure(EINVAL, "a mask of CPUs is a hexadecimal number");
    mask[bit / 64] |= (uint64_t)digit << bit % 64;
    bit += 4;
  }
  if (!bit)
    return failure(EINVAL, "a mask of CPUs is a hexadecimal number");
  for (uint32_t i = 0; i < kMaxCpus / 64; i++)
    __atomic_store_n(&g_cpus[i], mask[i], __ATOMIC_RELAXED);
  g_has_cpu_mask = true;
  count_rules();
  return {};
}

void show_max_graph_depth(RuleText &text) {
  text.number(g_rules.max_depth);
}

void show_tracing_thresh(RuleText &text) {
  text.number(g_thresh_us);
}

void show_filter_pids(PidFilter which, RuleText &text) {
  const PidList &list = which == PidFilter::kPid ? g_pids : g_not_pids;
  if (!list.count)
    text.add("no pid");
  for (uint32_t i = 0; i < list.count; i++)
    text.add(i ? "\n" : "").number((uint64_t)list.ids[i]);
}

// As many digits as the machine has CPUs for, in groups of 32 of them.
void show_cpu_mask(RuleText &text) {
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  uint64_t count = cpus < 1 ? 1 : (uint64_t)cpus < kMaxCpus ? (uint64_t)cpus : kMaxCpus;
  for (uint64_t digit = (count + 3) / 4; digit-- > 0;) {
    uint64_t last = count - digit * 4, there = last < 4 ? (1u << last) - 1 : 15;
    uint64_t bits = g_has_cpu_mask ? g_cpus[digit / 16] >> digit % 16 * 4 & there : there;
    text.add(&"0123456789abcdef"[bits], 1).add(digit && digit % 8 == 0 ? "," : "");
  }
}

void settle_rules() {
  uint64_t ticks = g_thresh_us ? ticks_of_ns(g_thresh_us * 1000) : 0;
  __atomic_store_n(&g_rules.thresh_ticks, ticks, __ATOMIC_RELAXED);
  set_profile_thresh(ticks);
  count_rules();
}

Status rules_follow_modules() {
  NOPHOOK_TRY(g_rules.roots.follow());
  NOPHOOK_TRY(g_rules.hidden.follow());
  return rates_follow_modules();
}

void report_rule_misses() {
  g_rules.roots.report_misses("set_graph_function");
  g_rules.hidden.report_misses("set_graph_notrace");
}

bool is_wanted_here() {
  if (g_has_cpu_mask) {
    uint32_t cpu = current_cpu();
    if (cpu < kMaxCpus && !(__atomic_load_n(&g_cpus[cpu / 64], __ATOMIC_RELAXED) >> cpu % 64 & 1))
      return false;
  }
  if (!g_pids.count && !g_not_pids.count)
    return true;
  TracerThread *thread = tracer_thread();
  return thread && is_chosen(thread);
}

} // namespace nophook
