// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters by rule and function, one word each: a count and the window of time that it belongs to.

#include "selection/rates.h"

#include "base/limit_text.h"
#include "base/log.h"
#include "base/memory.h"
#include "buffer/trace_clock.h"
#include "ops/names.h"
#include "ops/own_stack.h"
#include "sites/symbols.h"

#include <nophook/buffer.h>

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kIds = uint64_t{1} << NOPHOOK_ID_BITS;
constexpr uint64_t kNsPerSecond = 1000000000;
constexpr uint64_t kWindowsPerSecond = 10; // windows of auto_notrace
constexpr uint32_t kMuted = ~uint32_t{0};

struct Counter { // a word that is exchanged whole
  uint32_t window;
  uint32_t calls;
};

constexpr uint32_t kChunkShift = 12, kChunkIds = 1 << kChunkShift;
constexpr uint64_t kChunks = kIds >> kChunkShift;

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

void log_muted(uint32_t id, uint64_t most, const char *instance) {
  LogText line;
  FunctionName name = name_of_function(id);
  line.add("auto_notrace: ");
  name.size() ? line.add(name.c_str()) : line.add("function ").number(id);
  line.add(" is called more than ").number(most).add(" times a second: it is no longer recorded");
  if (instance)
    line.add(" in the instance ").add(instance);
  log_line(line);
}

} // namespace

Status RateCounters::reserve() {
  uint64_t **table = chunks_;
  if (!table)
    table = static_cast<uint64_t **>(map_pages(kChunks * sizeof(uint64_t *)));
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
  __atomic_store_n(&chunks_, table, __ATOMIC_RELEASE);
  return {};
}

void RateCounters::release() {
  for (uint64_t i = 0; chunks_ && i < kChunks; i++)
    if (chunks_[i])
      unmap_pages(chunks_[i], kChunkIds * sizeof(uint64_t));
  if (chunks_)
    unmap_pages(chunks_, kChunks * sizeof(uint64_t *));
  chunks_ = nullptr;
}

uint64_t *RateCounters::of(uint32_t id) const {
  uint64_t **table = __atomic_load_n(&chunks_, __ATOMIC_ACQUIRE);
  uint64_t *chunk = table ? __atomic_load_n(&table[id >> kChunkShift], __ATOMIC_ACQUIRE) : nullptr;
  return chunk ? &chunk[id % kChunkIds] : nullptr;
}

Status Rates::add(const char *glob, uint64_t bytes, uint64_t every, uint64_t per_second) {
  Rule *rule = nullptr;
  for (uint32_t i = 0; i < kMaxRateRules && !rule; i++)
    if (!rules_[i].filter.is_set())
      rule = &rules_[i];
  if (!rule || bytes >= sizeof(rule->text))
    return failure(ENOSPC, limit_text<"there are ", kMaxRateRules,
                                      " rules of rates already, or a pattern is too long">);
  NOPHOOK_TRY(rule->counters.reserve());
  copy_bytes(rule->text, glob, bytes);
  rule->text[bytes] = 0;
  rule->every = every;
  rule->per_second = per_second;
  NOPHOOK_TRY(rule->filter.change(glob, bytes, true, ""));
  auto index = (uint32_t)(rule - rules_);
  if (rule_count_ <= index) // release: the rule is whole; pairs with allows()'s acquire
    __atomic_store_n(&rule_count_, index + 1, __ATOMIC_RELEASE);
  return {};
}

bool Rates::allows(const Rule &rule, uint32_t id, uint64_t now) {
  uint64_t *counter = rule.filter.has(id) ? rule.counters.of(id) : nullptr;
  if (!counter)
    return true;
  if (rule.every) // a sample counts all calls: 32 bits would be full within minutes
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED) % rule.every == 0;
  return count(counter, (uint32_t)(now / kNsPerSecond)) <= rule.per_second;
}

// Whether auto_notrace leaves the function out from now on.
bool Rates::is_muted(uint32_t id, uint64_t now) const {
  uint64_t *counter = calls_.of(id);
  if (!counter)
    return false;
  uint64_t window = now / (kNsPerSecond / kWindowsPerSecond);
  uint32_t calls = count(counter, (uint32_t)window);
  uint64_t most = __atomic_load_n(&most_, __ATOMIC_RELAXED);
  if (calls == kMuted)
    return true;
  if (!most || calls <= (most + kWindowsPerSecond - 1) / kWindowsPerSecond)
    return false;
  Counter muted = {0, kMuted};
  uint64_t word;
  copy_bytes(&word, &muted, sizeof word);
  uint64_t before = __atomic_exchange_n(counter, word, __ATOMIC_RELAXED);
  copy_bytes(&muted, &before, sizeof before);
  const char *instance = instance_;
  if (muted.calls != kMuted)
    run_on_own_stack([=] { log_muted(id, most, instance); });
  return true;
}

Status Rates::add_sample(const char *glob, uint64_t bytes, uint64_t every) {
  if (!every || every > UINT32_MAX)
    return failure(EINVAL, "one of how many calls is a number from 1 on");
  return add(glob, bytes, every, 0);
}

Status Rates::add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second) {
  if (!per_second || per_second >= kMuted)
    return failure(EINVAL, "calls in a second are a number from 1 on");
  return add(glob, bytes, 0, per_second);
}

bool Rates::remove(const char *glob, uint64_t bytes, bool is_sample) {
  bool found = false;
  for (uint32_t i = 0; i < rule_count_; i++) {
    Rule &rule = rules_[i];
    if (!rule.filter.is_set() || is_sample != (rule.every != 0) || !is_text(glob, bytes, rule.text))
      continue;
    Status status = rule.filter.change("", 0, true, "");
    found |= status.ok();
  }
  return found;
}

Status Rates::set_auto_notrace(uint64_t calls_per_second) {
  if (calls_per_second >= kMuted)
    return failure(EINVAL, "calls in a second are a number below 2^32");
  if (calls_per_second)
    NOPHOOK_TRY(calls_.reserve());
  __atomic_store_n(&most_, calls_per_second, __ATOMIC_RELAXED);
  return {};
}

bool Rates::any() const {
  bool found = most_;
  for (uint32_t i = 0; i < rule_count_; i++)
    found |= rules_[i].filter.is_set();
  return found;
}

void Rates::report_misses(const char *folder) {
  for (uint32_t i = 0; i < rule_count_; i++)
    if (rules_[i].filter.is_set())
      rules_[i].filter.report_misses(folder, "set_ftrace_filter");
}

// Follows new modules. The counters come first: a function that a filter has needs one.
Status Rates::follow_modules() {
  for (uint32_t i = 0; i < rule_count_; i++) {
    if (rules_[i].filter.is_set())
      NOPHOOK_TRY(rules_[i].counters.reserve());
    NOPHOOK_TRY(rules_[i].filter.follow());
  }
  return most_ ? calls_.reserve() : Status{};
}

Status Rates::clear() {
  for (uint32_t i = 0; i < rule_count_; i++) {
    if (rules_[i].filter.is_set())
      NOPHOOK_TRY(rules_[i].filter.change("", 0, true, ""));
    rules_[i].counters.release();
  }
  rule_count_ = 0;
  most_ = 0;
  calls_.release();
  return {};
}

bool Rates::allows(uint32_t id) const {
  // A muted function stays so when auto_notrace is over.
  uint32_t rules = __atomic_load_n(&rule_count_, __ATOMIC_ACQUIRE);
  if (!rules && !calls_.any())
    return true;
  uint64_t now = monotonic_ns();
  bool allowed = true;
  for (uint32_t i = 0; i < rules; i++)
    allowed = allows(rules_[i], id, now) && allowed;
  return allowed && !is_muted(id, now);
}

} // namespace nophook
