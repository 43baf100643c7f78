// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turning rules into sets of functions. Cold code.

#include "ops/filter.h"

#include "base/log.h"
#include "ops/glob.h"
#include "ops/module_name.h"
#include "ops/names.h"
#include "sites/symbols.h"

#include <errno.h>
#include <string.h>

namespace nophook {

uint32_t id_limit() {
  uint32_t limit = 0;
  for (const Module *m = first_module(); m; m = m->next)
    if (m->first_id + m->records.count() > limit)
      limit = m->first_id + m->records.count();
  return limit;
}

namespace {

constexpr uint64_t kMaxTokenBytes = 4096;

// A token, taken apart: [!]glob[:mod:[!]module], or an index.
struct Rule {
  char text[kMaxTokenBytes];
  const char *glob;
  const char *module; // null: any
  bool removes;
  bool not_module;
  uint64_t index; // from 1; 0: a glob
};

void parse(const char *token, Rule *rule) {
  copy_bytes(rule->text, token, text_length(token) + 1);
  char *at = rule->text;
  rule->removes = *at == '!';
  at += rule->removes;
  rule->glob = at;
  char *mod = strstr(at, ":mod:");
  rule->module = nullptr;
  rule->not_module = false;
  if (mod) {
    *mod = 0;
    rule->not_module = mod[5] == '!';
    rule->module = mod + 5 + rule->not_module;
    if (!*rule->glob) // ":mod:libz*" is all of its functions
      rule->glob = "*";
  }
  rule->index = 0;
  uint64_t number = 0;
  const char *digit = at;
  while (*digit >= '0' && *digit <= '9' && number <= UINT32_MAX)
    number = number * 10 + (uint64_t)(*digit++ - '0');
  if (digit != at && !*digit)
    rule->index = number;
}

bool is_module(const Rule &rule, const Module *module) {
  if (!rule.module)
    return true;
  ModuleName known(module);
  bool matches =
      glob_match(rule.module, known.name.c_str()) || glob_match(rule.module, known.stem.c_str());
  return matches != rule.not_module;
}

struct Visit {
  const Rule *rule;
  const Module *module;
  FtraceHash *hash;
  uint32_t hits;
  uint32_t index[kCachedMatches]; // of the first ones
};

void take_hit(Visit *visit, uint32_t index) {
  hash_set(visit->hash, visit->module->first_id + index, !visit->rule->removes);
  if (visit->hits < kCachedMatches)
    visit->index[visit->hits] = index;
  visit->hits++;
}

void visit_name(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *visit = static_cast<Visit *>(context);
  uint32_t index;
  if (!Names(name).match(visit->rule->glob) || !find_record(visit->module, address, bytes, &index))
    return;
  take_hit(visit, index);
}

// Applies one rule to one module; returns how many functions it has matched.
uint32_t apply(const Rule &rule, Module *module, FtraceHash *hash) {
  uint32_t count = module->records.count(), first = module->first_id;
  if (!count || !is_module(rule, module))
    return 0;
  if (rule.index) {
    if (rule.index <= first || rule.index > (uint64_t)first + count)
      return 0;
    hash_set(hash, (uint32_t)rule.index - 1, !rule.removes);
    return 1;
  }
  if (rule.glob[0] == '*' && !rule.glob[1]) { // needs no names
    hash_set_range(hash, first, count, !rule.removes);
    return count;
  }
  Visit visit = {&rule, module, hash, 0, {}};
  if (const CachedPattern *known = recall_pattern(module->names, rule.glob)) {
    for (uint32_t i = 0; i < known->count; i++)
      take_hit(&visit, known->index[i]);
    return visit.hits;
  }
  Status status = visit_symbols(module, visit_name, &visit);
  if (!status.ok()) {
    LogText line;
    log_line(line.add(module->path).add(": filters do not apply: ").add(status.reason));
  }
  if (status.ok())
    remember_pattern(&module->names, rule.glob, visit.index, visit.hits);
  return visit.hits;
}

uint32_t apply_to_all(const char *token, FtraceHash *hash) {
  Rule rule;
  parse(token, &rule);
  uint32_t hits = 0;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded)
      hits += apply(rule, m, hash);
  return hits;
}

const char kNoMemory[] = "no memory for a filter";

// A rule's number of hits, wherever it lies.
constexpr uint64_t kHitBytes = sizeof(uint32_t);
void add_hits(char *at, uint32_t more) {
  uint32_t hits;
  copy_bytes(&hits, at, kHitBytes);
  hits += more;
  copy_bytes(at, &hits, kHitBytes);
}
bool has_hits(const char *at) {
  return at[0] || at[1] || at[2] || at[3];
}

} // namespace

// The set has bits for `ids` functions from now on, or for more.
Status Filter::make_room(uint32_t ids) {
  if (hash_ && hash_->ids >= ids)
    return {};
  FtraceHash *hash = new_hash(ids);
  if (!hash)
    return failure(ENOMEM, kNoMemory);
  for (uint32_t word = 0; word < hash->ids / 64; word++)
    hash->words[word] = hash_word(hash_, word);
  free_hash(hash_);
  hash_ = hash;
  return {};
}

// Calls visit(hits, text) for each rule.
template <class Visit> void Filter::each_rule(Visit visit) {
  for (uint64_t at = 0; at < rules_.size();) {
    const char *text = &rules_[at + kHitBytes];
    uint64_t bytes = text_length(text);
    visit(&rules_[at], text);
    at += kHitBytes + bytes + 1;
  }
}

Status Filter::add(const char *token, uint64_t bytes, Misses misses) {
  if (bytes >= kMaxTokenBytes)
    return failure(EINVAL, "a pattern is longer than 4095 bytes");
  uint64_t at = rules_.size();
  if (!rules_.reserve(at + kHitBytes + bytes + 1))
    return failure(ENOMEM, kNoMemory);
  for (uint64_t i = 0; i < kHitBytes; i++)
    rules_.append(0);
  for (uint64_t i = 0; i < bytes; i++)
    rules_.append(token[i]);
  rules_.append(0);
  const char *text = &rules_[at + kHitBytes];
  if (text[0] == '!' && drop_waiting(text + 1))
    return {}; // which has taken its rule, too
  bool had_any = !hash_is_empty(hash_);
  uint32_t found = apply_to_all(text, hash_);
  add_hits(&rules_[at], found);
  if (!found && misses == Misses::kRefused && !strstr(text, ":mod:")) {
    rules_.shrink(at);
    return failure(EINVAL, "a pattern matches no function");
  }
  if (text[0] == '!' && had_any)
    clear_if_nothing_is_left();
  return {};
}

// `FUNCTION:mod:MODULE`, or `*:mod:MODULE` for all of the module's: as in the kernel, what waits
// for a library by this very text waits no longer. The last rule says so, and goes, too. False:
// none does, and it stays.
bool Filter::drop_waiting(const char *text) {
  const char *module = strstr(text, ":mod:");
  if (!module)
    return false;
  const bool is_all = module == text + 1 && *text == '*';
  const uint64_t last_bytes = kHitBytes + 1 + text_length(text) + 1;
  uint64_t left = 0;
  bool any = false;
  each_rule([&](char *hits, const char *rule) {
    const char *other = is_all ? strstr(rule, ":mod:") : rule;
    bool goes =
        rule[0] != '!' && !has_hits(hits) && other && !strcmp(other, is_all ? module : text);
    uint64_t bytes = goes ? 0 : kHitBytes + text_length(rule) + 1;
    for (uint64_t i = 0; i < bytes; i++)
      rules_[left + i] = hits[i];
    left += bytes;
    any = any || goes;
  });
  if (!any)
    return false;
  rules_.shrink(left - last_bytes);
  clear_if_nothing_is_left();
  return true;
}

// Who takes the last function out of a filter has none any more, unless one waits for a library.
void Filter::clear_if_nothing_is_left() {
  bool any_waits = false;
  each_rule([&](char *hits, const char *text) { any_waits |= text[0] != '!' && !has_hits(hits); });
  if (hash_is_empty(hash_) && !any_waits)
    rules_.clear();
}

Status Filter::change(const char *text, uint64_t bytes, bool reset, const char *separators,
                      Misses misses) {
  if (reset)
    set_free();
  Status status;
  for (uint64_t i = 0, end; i < bytes && status.ok(); i = end + 1) {
    end = i;
    while (end < bytes && text[end] && !strchr(separators, text[end]))
      end++;
    if (end == i)
      continue;
    status = make_room(id_limit());
    if (status.ok())
      status = add(text + i, end - i, misses);
  }
  if (rules_.empty() && hash_is_empty(hash_))
    set_free(); // what was refused has not made it a filter that lets nothing pass
  return status;
}

Status Filter::change_ips(const unsigned long *ips, uint32_t count, bool remove, bool reset) {
  if (reset)
    set_free();
  if (!count)
    return {};
  NOPHOOK_TRY(make_room(id_limit()));
  bool had_any = !hash_is_empty(hash_);
  for (uint32_t i = 0; i < count; i++) {
    Module *module;
    uint32_t index;
    if (!find_function(ips[i], &module, &index))
      return failure(EINVAL, "an address is no traceable function's");
    hash_set(hash_, module->first_id + index, !remove);
  }
  if (remove && had_any)
    clear_if_nothing_is_left();
  if (rules_.empty() && hash_is_empty(hash_))
    set_free();
  return {};
}

Status Filter::copy(const Filter &from) {
  set_free();
  if (!rules_.reserve(from.rules_.size()))
    return failure(ENOMEM, kNoMemory);
  for (uint64_t i = 0; i < from.rules_.size(); i++)
    rules_.append(from.rules_[i]);
  if (!from.hash_)
    return {};
  NOPHOOK_TRY(make_room(from.hash_->ids));
  for (uint32_t word = 0; word < hash_->ids / 64; word++)
    hash_->words[word] = hash_word(from.hash_, word);
  return {};
}

void Filter::swap(Filter &other) {
  rules_.swap(other.rules_);
  FtraceHash *hash = hash_;
  hash_ = other.hash_;
  other.hash_ = hash;
}

Filter &spare_filter() {
  alignas(Filter) static char storage[sizeof(Filter)]; // all zero is its empty state
  Filter &filter = *reinterpret_cast<Filter *>(storage);
  filter.set_free();
  return filter;
}

void Filter::set_free() {
  rules_.clear();
  free_hash(hash_);
  hash_ = nullptr;
}

void Filter::clear() {
  Filter empty;
  swap(empty);
}

Status Filter::take_in(Module *module) {
  if (is_empty())
    return {};
  NOPHOOK_TRY(make_room(module->first_id + module->records.count()));
  each_rule([&](char *hits, const char *text) {
    Rule rule;
    parse(text, &rule);
    if (!rule.index)
      add_hits(hits, apply(rule, module, hash_));
  });
  return {};
}

void Filter::forget(const Module *module) {
  if (hash_ && module->first_id + module->records.count() <= hash_->ids)
    hash_set_range(hash_, module->first_id, module->records.count(), false);
}

void Filter::each_waiting(void (*visit)(void *context, const char *text), void *context) {
  each_rule([&](char *hits, const char *text) {
    if (text[0] != '!' && !has_hits(hits))
      visit(context, text);
  });
}

void Filter::report_misses(const char *file) {
  each_rule([&](char *hits, const char *text) {
    if (has_hits(hits))
      return;
    LogText line;
    log_refusal(line.add(file).add(": no function matches '").add(text).add("'"));
  });
}

} // namespace nophook
