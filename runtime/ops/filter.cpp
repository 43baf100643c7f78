// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turning rules into sets of functions. Cold code.

#include "ops/filter.h"

#include "base/eternal.h"
#include "base/log.h"
#include "ops/rule_batch.h"
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

const char kNoMemory[] = "no memory for a filter";

// The size of a rule's number of hits, at any alignment.
constexpr uint64_t kHitBytes = sizeof(uint32_t);
constexpr uint32_t kIsName = 1u << 31;
void add_hits(char *at, uint32_t more, bool is_name) {
  uint32_t hits;
  copy_bytes(&hits, at, kHitBytes);
  hits = (hits + more) | (more && is_name ? kIsName : 0);
  copy_bytes(at, &hits, kHitBytes);
}
bool has_hits(const char *at) {
  return at[0] || at[1] || at[2] || at[3];
}
bool is_name(const char *at) {
  uint32_t hits;
  copy_bytes(&hits, at, kHitBytes);
  return hits & kIsName;
}

} // namespace

// Makes room for the bits of `ids` functions or more.
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

// Applies the rules of a batch to the set, one after the other, for the functions that they mean.
Status Filter::add(const RuleBatch &batch, uint32_t rule, Misses misses) {
  const char *token = batch.text(rule);
  uint64_t at = rules_.size(), bytes = text_length(token) + 1;
  if (!rules_.reserve(at + kHitBytes + bytes))
    return failure(ENOMEM, kNoMemory);
  for (uint64_t i = 0; i < kHitBytes; i++)
    rules_.append(0);
  for (uint64_t i = 0; i < bytes; i++)
    rules_.append(token[i]);
  const char *text = &rules_[at + kHitBytes];
  if (text[0] == '!' && drop_waiting(text + 1))
    return {}; // the waiting rule is dropped, too
  bool had_any = text[0] == '!' && !hash_is_empty(hash_);
  batch.apply(rule, hash_);
  add_hits(&rules_[at], batch.hits(rule), batch.is_name(rule));
  if (!batch.hits(rule) && misses == Misses::kRefused && !strstr(text, ":mod:")) {
    rules_.shrink(at);
    return failure(EINVAL, "a pattern matches no function");
  }
  if (had_any)
    clear_if_nothing_is_left();
  return {};
}

// Drops a rule that waits for a library by the text `FUNCTION:mod:MODULE`, or `*:mod:MODULE` for
// all functions of the module, as the kernel does. The last rule has that text with a `!`, and is
// dropped, too. False: no rule waits, and the last one stays.
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

// When the last function is removed from a filter, it is empty, unless a rule waits for a library.
void Filter::clear_if_nothing_is_left() {
  bool any_waits = false;
  each_rule([&](char *hits, const char *text) { any_waits |= text[0] != '!' && !has_hits(hits); });
  if (hash_is_empty(hash_) && !any_waits)
    rules_.clear();
}

Status Filter::change(const char *text, uint64_t bytes, bool reset, const char *separators,
                      Misses misses, uint64_t *wrong) {
  if (reset)
    set_free();
  RuleBatch &batch = spare_batch();
  Array<uint64_t> places; // places of the tokens in the text
  Status bad;             // the error of a token that is no rule, behind those of the batch
  for (uint64_t i = 0, end; i < bytes && bad.ok(); i = end + 1) {
    end = i;
    while (end < bytes && text[end] && !strchr(separators, text[end]))
      end++;
    if (end == i)
      continue;
    if (wrong && !places.push(i))
      bad = failure(ENOMEM, kNoMemory);
    else
      bad = batch.add(text + i, end - i, /*is_name=*/false);
  }
  Status status = batch.count() ? make_room(id_limit()) : Status{};
  if (status.ok())
    status = batch.resolve(nullptr);
  uint32_t rule = 0;
  for (; rule < batch.count() && status.ok(); rule++)
    status = add(batch, rule, misses);
  if (!status.ok() && wrong && rule)
    *wrong = places[rule - 1];
  else if (!bad.ok() && wrong && !places.empty())
    *wrong = places[places.size() - 1];
  if (status.ok())
    status = bad;
  if (rules_.empty() && hash_is_empty(hash_))
    set_free(); // a refused change does not leave a filter that lets nothing pass
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
  static Eternal<Filter> filter;
  filter->set_free();
  return *filter;
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
  RuleBatch &batch = spare_batch();
  Status status;
  each_rule([&](char *hits, const char *text) {
    if (status.ok())
      status = batch.add(text, text_length(text), is_name(hits));
  });
  NOPHOOK_TRY(status);
  NOPHOOK_TRY(batch.resolve(module));
  uint32_t rule = 0;
  each_rule([&](char *hits, const char *) {
    if (!batch.is_index(rule)) {
      batch.apply(rule, hash_);
      add_hits(hits, batch.hits(rule), batch.is_name(rule));
    }
    rule++;
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

void Filter::report_misses(const char *folder, const char *file) {
  each_rule([&](char *hits, const char *text) {
    if (has_hits(hits))
      return;
    LogText line;
    log_refusal(line.add(folder).add(file).add(": no function matches '").add(text).add("'"));
  });
}

} // namespace nophook
