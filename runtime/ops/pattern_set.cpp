// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of names and lists of globs, and the comparison of a symbol with both.

#include "ops/pattern_set.h"

#include "ops/glob.h"
#include "ops/name_hash.h"
#include "ops/names.h"

#include <errno.h>
#include <string.h>

namespace nophook {

PatternKind kind_of_pattern(const char *pattern) {
  if (!strpbrk(pattern, "*?[\\"))
    return PatternKind::kName;
  // These words and characters are wildcards in some names of functions.
  return strstr(pattern, "operator") || strpbrk(pattern, "(<") ? PatternKind::kEither
                                                               : PatternKind::kGlob;
}

void PatternSet::clear() {
  patterns_.clear();
  table_.clear();
  globs_ = 0;
  keys_.clear();
}

void PatternSet::release() {
  Array<Pattern> patterns;
  Array<uint32_t> table;
  patterns_.swap(patterns);
  table_.swap(table);
  keys_.release();
}

Status PatternSet::add(const char *pattern, PatternKind kind, uint32_t number) {
  if (!patterns_.push({pattern, hash_text(pattern, strlen(pattern)), number, kind}))
    return failure(ENOMEM, "no memory for a filter");
  globs_ += kind == PatternKind::kGlob;
  return {};
}

// Whether a name is a linked one, which is the only one of its kind, so that no symbol is demangled
// for it.
static bool is_linked_name(const char *name) {
  return name[0] == '_' && name[1] == 'Z';
}

Status PatternSet::prepare() {
  uint64_t slots = 16;
  while (slots < 2 * patterns_.size())
    slots *= 2;
  if (!table_.reserve(slots))
    return failure(ENOMEM, "no memory for a filter");
  for (uint64_t i = 0; i < slots; i++)
    table_.append(0);
  for (const Pattern &pattern : patterns_)
    if (pattern.kind != PatternKind::kGlob && !is_linked_name(pattern.text))
      keys_.count(pattern.text);
  for (uint32_t i = 0; i < patterns_.size(); i++) {
    const Pattern &pattern = patterns_[i];
    if (pattern.kind == PatternKind::kGlob)
      continue;
    uint64_t slot = pattern.hash & (slots - 1);
    while (table_[slot])
      slot = (slot + 1) & (slots - 1);
    table_[slot] = i + 1;
    if (!is_linked_name(pattern.text))
      keys_.add(pattern.text);
  }
  return {};
}

void PatternSet::match_names(const char *name, size_t bytes, Hit hit, void *context) const {
  const uint64_t hash = hash_text(name, bytes), last = table_.size() - 1;
  for (uint64_t slot = hash & last; table_[slot]; slot = (slot + 1) & last) {
    const Pattern &pattern = patterns_[table_[slot] - 1];
    if (pattern.hash == hash && !strcmp(pattern.text, name))
      hit(context, pattern.number);
  }
}

void PatternSet::match(const char *symbol, Hit hit, void *context) const {
  const size_t bytes = strlen(symbol);
  if (globs_ < patterns_.size())
    match_names(symbol, bytes, hit, context);
  const char *demangle = nullptr;
  if (can_demangle(symbol) && (globs_ || keys_.may_mean(symbol, bytes)))
    demangle = symbol;
  if (!demangle && !globs_)
    return;
  const DemangledNames names(demangle ? demangle : "");
  for (uint32_t i = 0; i < names.count(); i++)
    match_names(names[i], strlen(names[i]), hit, context);
  if (!globs_)
    return;
  for (const Pattern &pattern : patterns_) {
    bool is_meant = pattern.kind == PatternKind::kGlob && glob_match(pattern.text, symbol);
    for (uint32_t i = 0; pattern.kind == PatternKind::kGlob && i < names.count() && !is_meant; i++)
      is_meant = glob_match(pattern.text, names[i]);
    if (is_meant)
      hit(context, pattern.number);
  }
}

} // namespace nophook
