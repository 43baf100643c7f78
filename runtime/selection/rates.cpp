// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter for each function and rule, and for each function one of auto_notrace: 8 bytes, half of
// them the window of time that the count is of, but for samples, which have none. Counters are of
// all threads. They are mapped for functions that exist, 4096 at a time: a mapping for all ids that
// there may be, 32 MiB a rule, is filled at once by a program that locks its memory (mlockall), and
// counts against its limit (ulimit -l).

#include "selection/rates.h"

#include "base/limit_text.h"
#include "base/log.h"
#include "base/memory.h"
#include "buffer/trace_clock.h"
#include "ops/names.h"
#include "ops/own_stack.h"
#include "selection/published_filter.h"
#include "sites/symbols.h"

#include <nophook/buffer.h>

#include <errno.h>

namespace nophook {
namespace {

constexpr uint32_t kMaxRules = 16;
constexpr uint64_t kIds = uint64_t{1} << NOPHOOK_ID_BITS;
constexpr uint64_t kNsPerSecond = 1000000000;
constexpr uint64_t kWindowsPerSecond = 10; // of auto_notrace
constexpr uint32_t kMuted = ~uint32_t{0};

struct Counter { // as one word: it is exchanged whole
  uint32_t window;
  uint32_t calls;
};

constexpr uint32_t kChunkShift = 12, kChunkIds = 1 << kChunkShift;

// By id. Chunks are added under the runtime's lock, and never taken away. Release and acquire, in
// pairs: a callback finds the table and the chunk whole, or none.
struct Counters {
  uint64_t **chunks;

  // For all functions that there are.
  Status reserve() {
    uint64_t **table = chunks;
    if (!table)
      table = static_cast<uint64_t **>(map_pages((kIds >> kChunkShift) * sizeof(uint64_t *)));
    for (uint32_t i = 0; table && i << kChunkShift < id_limit(); i++) {
      if (table[i])
        continue;
      auto *chunk = static_cast<uint64_t *>(map_pages(kChunkIds * sizeof(uint64_t)));
      __atomic_store_n(&table[i], chunk, __ATOMIC_RELEASE);
      if (!chunk)
        table = nullptr;
    }
    if (!table)
      return failure(ENOMEM, "no memory to count calls");
    __atomic_store_n(&chunks, table, __ATOMIC_RELEASE);
    return {};
  }

  // Null: nothing has been reserved for it.
  uint64_t *of(uint32_t id) const {
    uint64_t **table = __atomic_load_n(&chunks, __ATOMIC_ACQUIRE);
    uint64_t *chunk =
        table ? __atomic_load_n(&table[id >> kChunkShift], __ATOMIC_ACQUIRE) : nullptr;
    return chunk ? &chunk[id % kChunkIds] : nullptr;
  }
};

struct RateRule {
  PublishedFilter filter;
  char text[256];
  uint64_t every;      // or 0
  uint64_t per_second; // or 0
  Counters counters;
};
RateRule g_rules[kMaxRules];
uint32_t g_rule_count = 0;

uint64_t g_most = 0; // of auto_notrace: calls in a second
Counters g_calls;

// The number of this call in its window, from 1; kMuted stays.
uint32_t count(uint64_t *word, uint32_t window) {
  uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
  Counter counter;
  do {
    copy_bytes(&counter, &old, sizeof counter);
    if (counter.calls == kMuted)
      return kMuted;
    counter.calls = counter.window == window ? counter.calls + 1 : 1;
    counter.window = window;
    copy_bytes(&next, &counter, sizeof next);
  } while (
      !__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return counter.calls;
}

Status add_rule(const char *glob, uint64_t bytes, uint64_t every, uint64_t per_second) {
  RateRule *rule = nullptr;
  for (uint32_t i = 0; i < kMaxRules && !rule; i++)
    if (!g_rules[i].filter.is_set())
      rule = &g_rules[i];
  if (!rule || bytes >= sizeof(rule->text))
    return failure(
        ENOSPC,
        limit_text<"there are ", kMaxRules, " rules of rates already, or a pattern is too long">);
  NOPHOOK_TRY(rule->counters.reserve());
  copy_bytes(rule->text, glob, bytes);
  rule->text[bytes] = 0;
  rule->every = every;
  rule->per_second = per_second;
  NOPHOOK_TRY(rule->filter.change(glob, bytes, true, ""));
  auto index = (uint32_t)(rule - g_rules);
  if (g_rule_count <= index) // release: the rule is whole; rate_allows() acquires
    __atomic_store_n(&g_rule_count, index + 1, __ATOMIC_RELEASE);
  return {};
}

bool allows(RateRule &rule, uint32_t id, uint64_t now) {
  uint64_t *counter = rule.filter.has(id) ? rule.counters.of(id) : nullptr;
  if (!counter)
    return true;
  if (rule.every) // all calls that there are: 32 bits would be full within minutes
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED) % rule.every == 0;
  return count(counter, (uint32_t)(now / kNsPerSecond)) <= rule.per_second;
}

// What is in the way of all others is left out from now on.
bool is_muted(uint32_t id, uint64_t now) {
  uint64_t *counter = g_calls.of(id);
  if (!counter)
    return false;
  uint64_t window = now / (kNsPerSecond / kWindowsPerSecond);
  uint32_t calls = count(counter, (uint32_t)window);
  uint64_t most = __atomic_load_n(&g_most, __ATOMIC_RELAXED);
  if (calls == kMuted)
    return true;
  if (!most || calls <= (most + kWindowsPerSecond - 1) / kWindowsPerSecond)
    return false;
  Counter muted = {0, kMuted};
  uint64_t word;
  copy_bytes(&word, &muted, sizeof word);
  uint64_t before = __atomic_exchange_n(counter, word, __ATOMIC_RELAXED);
  copy_bytes(&muted, &before, sizeof before);
  if (muted.calls != kMuted)
    run_on_own_stack([=] {
      LogText line;
      FunctionName name = name_of_function(id);
      line.add("auto_notrace: ");
      name.size() ? line.add(name.c_str()) : line.add("function ").number(id);
      log_line(line.add(" is called more than ")
                   .number(most)
                   .add(" times a second: it is no longer recorded"));
    });
  return true;
}

} // namespace

Status add_sample(const char *glob, uint64_t bytes, uint64_t every) {
  if (!every || every > UINT32_MAX)
    return failure(EINVAL, "one of how many calls is a number from 1 on");
  return add_rule(glob, bytes, every, 0);
}

Status add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second) {
  if (!per_second || per_second >= kMuted)
    return failure(EINVAL, "calls in a second are a number from 1 on");
  return add_rule(glob, bytes, 0, per_second);
}

Status set_auto_notrace(uint64_t calls_per_second) {
  if (calls_per_second >= kMuted)
    return failure(EINVAL, "calls in a second are a number below 2^32");
  __atomic_store_n(&g_most, calls_per_second, __ATOMIC_RELAXED);
  return {};
}

uint64_t auto_notrace() {
  return g_most;
}

bool remove_rates(const char *glob, uint64_t bytes, bool is_sample) {
  bool found = false;
  for (uint32_t i = 0; i < g_rule_count; i++) {
    RateRule &rule = g_rules[i];
    if (!rule.filter.is_set() || is_sample != (rule.every != 0) || !is_text(glob, bytes, rule.text))
      continue;
    Status status = rule.filter.change("", 0, true, "");
    found |= status.ok();
  }
  return found;
}

bool has_rates() {
  bool found = g_most;
  for (uint32_t i = 0; i < g_rule_count; i++)
    found |= g_rules[i].filter.is_set();
  return found;
}

void report_rate_misses() {
  for (uint32_t i = 0; i < g_rule_count; i++)
    if (g_rules[i].filter.is_set())
      g_rules[i].filter.report_misses("set_ftrace_filter");
}

// The counters first: what a filter names has one.
Status rates_follow_modules() {
  for (uint32_t i = 0; i < g_rule_count; i++) {
    if (g_rules[i].filter.is_set())
      NOPHOOK_TRY(g_rules[i].counters.reserve());
    NOPHOOK_TRY(g_rules[i].filter.follow());
  }
  return prepare_rates();
}

Status prepare_rates() {
  return g_most ? g_calls.reserve() : Status{};
}

bool rate_allows(uint32_t id) {
  // What is muted stays so when auto_notrace is over.
  uint32_t rules = __atomic_load_n(&g_rule_count, __ATOMIC_ACQUIRE);
  if (!rules && !__atomic_load_n(&g_calls.chunks, __ATOMIC_RELAXED))
    return true;
  uint64_t now = monotonic_ns();
  bool allowed = true;
  for (uint32_t i = 0; i < rules; i++)
    allowed = allows(g_rules[i], id, now) && allowed;
  return allowed && !is_muted(id, now);
}

} // namespace nophook
