// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters by rule and function, one word each: a count and the window of time that it belongs to.

#include "selection/rates.h"

#include "base/limit_text.h"
#include "base/log.h"
#include "buffer/trace_clock.h"
#include "ops/names.h"
#include "ops/own_stack.h"
#include "sites/symbols.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kNsPerSecond = 1000000000;
constexpr uint32_t kTenths = 10; // tenths of a second; auto_notrace counts in each

// Tenths of a second in a tick of the CPU's counter, times 2^64. 0: it does not run evenly.
uint64_t g_tenths_per_tick = 0;

void measure_tenth() {
  if (tsc_is_invariant())
    __atomic_store_n(&g_tenths_per_tick, ~uint64_t{0} / tsc_ticks_of_ns(kNsPerSecond / kTenths),
                     __ATOMIC_RELAXED);
}

// Does the same as count_call(); a window has `tenths`.
bool count(uint64_t *counter, uint64_t most, uint32_t tenths) {
  const uint64_t factor = __atomic_load_n(&g_tenths_per_tick, __ATOMIC_RELAXED);
  return count_call(counter, (uint32_t)most, !factor, [=] {
    const uint64_t now = factor ? (uint64_t)((unsigned __int128)read_tsc() * factor >> 64)
                                : monotonic_ns() / (kNsPerSecond / kTenths);
    return (uint32_t)now / tenths;
  });
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

Status Rates::add(const char *glob, uint64_t bytes, uint64_t every, uint64_t per_second) {
  Rule *rule = nullptr;
  for (uint32_t i = 0; i < kMaxRateRules && !rule; i++)
    if (!rules_[i].filter.is_set())
      rule = &rules_[i];
  if (!rule || bytes >= sizeof(rule->text))
    return failure(ENOSPC, limit_text<"there are ", kMaxRateRules,
                                      " rules of rates already, or a pattern is too long">);
  measure_tenth();
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

bool Rates::allows(const Rule &rule, uint32_t id) {
  uint64_t *counter = rule.filter.has(id) ? rule.counters.of(id) : nullptr;
  if (!counter)
    return true;
  if (rule.every)
    return is_nth_call(counter, rule.every);
  return count(counter, rule.per_second, kTenths);
}

// Counts a call; the function that has too many is left out from now on.
bool Rates::is_too_frequent(uint32_t id) const {
  uint64_t *counter = calls_.of(id);
  const uint64_t most = __atomic_load_n(&most_, __ATOMIC_RELAXED);
  if (!counter || !most || count(counter, (most + kTenths - 1) / kTenths, 1))
    return false;
  if (__atomic_exchange_n(counter, kMuted, __ATOMIC_RELAXED) != kMuted) {
    __atomic_store_n(&has_new_muted_, true, __ATOMIC_RELEASE); // pairs with take_news()
    run_on_own_stack([=, this] { log_muted(id, most, instance_); });
  }
  return true;
}

Status Rates::add_sample(const char *glob, uint64_t bytes, uint64_t every) {
  if (!every || every > UINT32_MAX)
    return failure(EINVAL, "one of how many calls is a number from 1 on");
  return add(glob, bytes, every, 0);
}

Status Rates::add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second) {
  if (!per_second || per_second >= UINT32_MAX)
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
  if (calls_per_second >= UINT32_MAX)
    return failure(EINVAL, "calls in a second are a number below 2^32");
  measure_tenth();
  if (calls_per_second)
    NOPHOOK_TRY(calls_.reserve());
  __atomic_store_n(&most_, calls_per_second, __ATOMIC_RELAXED);
  if (calls_.any())
    calls_.forget_muted();
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
  has_new_muted_ = false;
  calls_.release();
  return {};
}

Status Rates::find_muted(FtraceHash **set) const {
  FtraceHash *found = nullptr;
  for (uint32_t id = 0; calls_.any() && id < id_limit(); id++) {
    if (!calls_.has_muted(id))
      continue;
    if (!found && !(found = new_hash(id_limit())))
      return failure(ENOMEM, "no memory for the functions that auto_notrace leaves out");
    hash_set(found, id, true);
  }
  *set = found;
  return {};
}

bool Rates::allows(uint32_t id) const {
  const uint32_t rules = __atomic_load_n(&rule_count_, __ATOMIC_ACQUIRE);
  bool allowed = true;
  for (uint32_t i = 0; i < rules; i++)
    allowed = allows(rules_[i], id) && allowed;
  return allowed && !is_too_frequent(id);
}

} // namespace nophook
