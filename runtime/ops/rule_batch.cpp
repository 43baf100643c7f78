// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses rules, and visits the symbols of each module once for all of them.

#include "ops/rule_batch.h"

#include "base/eternal.h"
#include "base/limit_text.h"
#include "base/log.h"
#include "ops/glob.h"
#include "ops/module_name.h"
#include "ops/names.h"
#include "sites/name_cache.h"
#include "sites/symbols.h"

#include <errno.h>
#include <string.h>

namespace nophook {
namespace {

const char kNoMemory[] = "no memory for a filter";

bool is_all(const char *pattern) {
  return pattern[0] == '*' && !pattern[1];
}

} // namespace

template <class T> static void release(Array<T> &array) {
  Array<T> none;
  array.swap(none);
}

void RuleBatch::clear() {
  if (rules_.size() > kCachedPatterns || hits_.size() > kPageBytes) {
    release(texts_);
    release(rules_);
    release(hits_);
    release(ids_);
    set_.release();
  }
  texts_.clear();
  rules_.clear();
  hits_.clear();
  ids_.clear();
  is_prepared_ = false;
}

Status RuleBatch::put_text(const char *text, uint64_t bytes, uint64_t *at) {
  *at = texts_.size();
  for (uint64_t i = 0; i < bytes; i++)
    if (!texts_.push(text[i]))
      return failure(ENOMEM, kNoMemory);
  return texts_.push(0) ? Status{} : failure(ENOMEM, kNoMemory);
}

Status RuleBatch::add(const char *token, uint64_t bytes, bool is_name) {
  if (bytes >= kMaxTokenBytes)
    return failure(EINVAL, limit_text<"a pattern is longer than ", kMaxTokenBytes - 1, " bytes">);
  if (texts_.empty() && !texts_.push(0)) // offset 0 stands for no text
    return failure(ENOMEM, kNoMemory);
  Rule rule = {};
  NOPHOOK_TRY(put_text(token, bytes, &rule.text));
  rule.removes = bytes && *token == '!';
  NOPHOOK_TRY(put_text(token + rule.removes, bytes - rule.removes, &rule.pattern));
  char *pattern = &texts_[rule.pattern];
  cut_abi_tags(pattern);
  // "lib:malloc"; "lib::f" is a function of a namespace.
  rule.is_of_libraries = !strncmp(pattern, "lib:", 4) && pattern[4] != ':';
  if (rule.is_of_libraries) {
    rule.pattern += 4;
    pattern += 4;
  }
  char *mod = strstr(pattern, ":mod:");
  if (mod) {
    *mod = 0;
    rule.not_module = mod[5] == '!';
    rule.module = rule.pattern + (uint64_t)(mod - pattern) + 5 + rule.not_module;
    if (!*pattern) // ":mod:libz*" means all functions of the module
      NOPHOOK_TRY(put_text("*", 1, &rule.pattern));
    pattern = &texts_[rule.pattern];
  }
  uint64_t number = 0;
  const char *digit = pattern;
  while (*digit >= '0' && *digit <= '9' && number <= UINT32_MAX)
    number = number * 10 + (uint64_t)(*digit++ - '0');
  if (digit != pattern && !*digit)
    rule.index = number;
  rule.kind = kind_of_pattern(pattern);
  rule.is_name = is_name;
  return rules_.push(rule) ? Status{} : failure(ENOMEM, kNoMemory);
}

bool RuleBatch::needs_names(const Rule &rule) const {
  return !rule.index && !is_all(&texts_[rule.pattern]);
}

bool RuleBatch::applies(const Rule &rule, const Module *module) const {
  if (rule.is_of_libraries && !module->calls)
    return false;
  if (!rule.module)
    return true;
  ModuleName known(module);
  const char *wanted = &texts_[rule.module];
  bool matches = glob_match(wanted, known.name.c_str()) || glob_match(wanted, known.stem.c_str());
  return matches != rule.not_module;
}

Status RuleBatch::prepare(Pass pass) {
  set_.clear();
  for (uint32_t i = 0; i < rules_.size(); i++) {
    const Rule &rule = rules_[i];
    if (!needs_names(rule) || (pass == Pass::kGlobs && !rule.is_glob))
      continue;
    PatternKind kind = pass == Pass::kGlobs                                ? PatternKind::kGlob
                       : rule.kind == PatternKind::kEither || rule.is_name ? PatternKind::kName
                                                                           : rule.kind;
    NOPHOOK_TRY(set_.add(&texts_[rule.pattern], kind, i));
  }
  is_prepared_ = true;
  return set_.prepare();
}

struct RuleBatch::Visit {
  RuleBatch *batch;
  const Module *module;
  const char *symbol;
  uint64_t address, bytes;
  uint32_t index; // index of the symbol's record
  bool has_looked, has_record, is_full;
};

// Takes the module's answers from its cache, if it has all of them. The cache has no patterns that
// may be names: it knows one module only, and a name must be looked for in all.
bool RuleBatch::recall(const Module *module) {
  for (const Rule &rule : rules_)
    if (rule.applies && needs_names(rule) &&
        (rule.kind == PatternKind::kEither ||
         !recall_pattern(module->names, &texts_[rule.pattern])))
      return false;
  if (!hits_.reserve(hits_.size() + rules_.size() * kCachedMatches))
    return false;
  for (uint32_t i = 0; i < rules_.size(); i++) {
    if (!rules_[i].applies || !needs_names(rules_[i]))
      continue;
    const CachedPattern *known = recall_pattern(module->names, &texts_[rules_[i].pattern]);
    for (uint32_t hit = 0; hit < known->count; hit++)
      hits_.append({i, module->first_id + known->index[hit]});
    rules_[i].hits += known->count;
  }
  return true;
}

void RuleBatch::remember(Module *module, uint64_t first_hit) const {
  if (rules_.size() > kCachedPatterns)
    return;
  uint32_t counts[kCachedPatterns] = {}, index[kCachedPatterns][kCachedMatches];
  for (uint64_t i = first_hit; i < hits_.size(); i++) {
    uint32_t &count = counts[hits_[i].rule];
    if (count < kCachedMatches)
      index[hits_[i].rule][count] = hits_[i].id - module->first_id;
    count++;
  }
  for (uint32_t i = 0; i < rules_.size(); i++)
    if (rules_[i].applies && needs_names(rules_[i]) && rules_[i].kind != PatternKind::kEither)
      remember_pattern(&module->names, &texts_[rules_[i].pattern], index[i], counts[i]);
}

Status RuleBatch::find_in(Module *module, Pass pass) {
  bool any = false;
  for (Rule &rule : rules_) {
    rule.applies = applies(rule, module) && (pass == Pass::kNames || rule.is_glob);
    any = any || (rule.applies && needs_names(rule));
  }
  if (!any || (pass == Pass::kNames && recall(module)))
    return {};
  if (!is_prepared_)
    NOPHOOK_TRY(prepare(pass));
  const uint64_t first_hit = hits_.size();
  Visit visit = {this, module, nullptr, 0, 0, 0, false, false, false};
  Status status = visit_symbols(
      module,
      [](void *context, const char *name, uint64_t address, uint64_t bytes) {
        auto &to = *static_cast<Visit *>(context);
        to.address = address;
        to.bytes = bytes;
        to.has_looked = false;
        to.batch->set_.match(
            name,
            [](void *self, uint32_t number) {
              auto &at = *static_cast<Visit *>(self);
              Rule &rule = at.batch->rules_[number];
              if (!at.has_looked)
                at.has_record = find_record(at.module, at.address, at.bytes, &at.index);
              at.has_looked = true;
              if (!rule.applies || !at.has_record)
                return;
              rule.hits++;
              at.is_full |= !at.batch->hits_.push({number, at.module->first_id + at.index});
            },
            context);
      },
      &visit);
  if (visit.is_full)
    return failure(ENOMEM, kNoMemory);
  if (!status.ok()) {
    LogText line;
    log_line(line.add(module->path).add(": filters do not apply: ").add(status.reason));
  } else if (pass == Pass::kNames) {
    remember(module, first_hit);
  }
  return {};
}

Status RuleBatch::find(Module *only, Pass pass) {
  is_prepared_ = false;
  for (Module *m = first_module(); m && !only; m = m->next)
    if (m->loaded && m->records.count())
      NOPHOOK_TRY(find_in(m, pass));
  return only && only->records.count() ? find_in(only, pass) : Status{};
}

Status RuleBatch::resolve(Module *only) {
  only_ = only;
  NOPHOOK_TRY(find(only, Pass::kNames));
  bool has_globs = false;
  for (Rule &rule : rules_)
    if (rule.kind == PatternKind::kEither && !rule.is_name) {
      rule.is_name = rule.hits;
      rule.is_glob = !rule.hits;
      has_globs |= rule.is_glob;
    }
  if (has_globs)
    NOPHOOK_TRY(find(only, Pass::kGlobs));
  for (Rule &rule : rules_) {
    auto count = [&](const Module *module) {
      uint32_t all = module->records.count(), first = module->first_id;
      if (rule.index)
        rule.hits += rule.index > first && rule.index <= (uint64_t)first + all;
      else if (is_all(&texts_[rule.pattern]) && applies(rule, module)) // it needs no names
        rule.hits += all;
    };
    for (const Module *m = first_module(); m && !only; m = m->next)
      if (m->loaded)
        count(m);
    if (only)
      count(only);
  }
  return sort_hits();
}

Status RuleBatch::sort_hits() {
  if (!ids_.reserve(hits_.size()))
    return failure(ENOMEM, kNoMemory);
  ids_.shrink(hits_.size());
  uint32_t first = 0;
  for (Rule &rule : rules_) {
    rule.ids = first;
    first += needs_names(rule) ? rule.hits : 0;
  }
  for (const Hit &hit : hits_)
    ids_[rules_[hit.rule].ids++] = hit.id;
  for (Rule &rule : rules_)
    rule.ids -= needs_names(rule) ? rule.hits : 0;
  return {};
}

void RuleBatch::apply(uint32_t number, FtraceHash *hash) const {
  const Rule &rule = rules_[number];
  if (needs_names(rule)) {
    for (uint32_t i = 0; i < rule.hits; i++)
      hash_set(hash, ids_[rule.ids + i], !rule.removes);
    return;
  }
  if (rule.index) {
    if (rule.hits)
      hash_set(hash, (uint32_t)rule.index - 1, !rule.removes);
    return;
  }
  auto set_all = [&](const Module *module) {
    if (applies(rule, module))
      hash_set_range(hash, module->first_id, module->records.count(), !rule.removes);
  };
  for (const Module *m = first_module(); m && !only_; m = m->next)
    if (m->loaded)
      set_all(m);
  if (only_)
    set_all(only_);
}

RuleBatch &spare_batch() {
  static Eternal<RuleBatch> batch;
  batch->clear();
  return *batch;
}

} // namespace nophook
