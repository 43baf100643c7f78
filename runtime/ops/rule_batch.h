// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of a filter, and the functions that each of them means, found in one pass over the modules'
// symbols for all rules together (pattern_set.h). The filter decides about these functions, rule by
// rule.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "ops/hash.h"
#include "ops/pattern_set.h"
#include "sites/module.h"

namespace nophook {

// A batch of rules. All of this is cold code under the runtime's lock.
class RuleBatch {
public:
  static constexpr uint64_t kMaxTokenBytes = 4096;

  void clear();

  // Adds a token: [!]pattern[:mod:[!]module], or an index. `is_name`: it has been found to be a
  // name, whatever wildcards are in it. Errors: EINVAL (too long), ENOMEM.
  Status add(const char *token, uint64_t bytes, bool is_name);

  // Looks for functions of `only`, or if it is null of all loaded modules. Errors: ENOMEM.
  Status resolve(Module *only);

  uint32_t count() const { return (uint32_t)rules_.size(); }
  const char *text(uint32_t rule) const { return &texts_[rules_[rule].text]; }

  bool is_index(uint32_t rule) const { return rules_[rule].index; }

  // The number of functions that the rule means; and whether one has exactly its name.
  uint32_t hits(uint32_t rule) const { return rules_[rule].hits; }
  bool is_name(uint32_t rule) const { return rules_[rule].is_name; }

  // Puts the rule's functions into the set, or takes them out of it.
  void apply(uint32_t rule, FtraceHash *hash) const;

private:
  struct Rule {
    uint64_t text;    // the token: its offset in texts_
    uint64_t pattern; // the pattern for names: its offset
    uint64_t module;  // the pattern for modules: its offset; 0: any module
    uint64_t index;   // row of a function, from 1; 0: the rule is a pattern
    uint32_t hits;
    uint32_t ids; // index of its first hit in ids_
    PatternKind kind;
    bool removes, not_module, is_name;
    bool is_of_libraries; // whether it means call stubs alone
    bool is_glob;         // whether it may be a name or a glob, and no function has the name
    bool applies;         // whether it applies to the present module
  };
  struct Hit {
    uint32_t rule;
    uint32_t id;
  };
  struct Visit;
  enum class Pass : uint8_t { kNames, kGlobs };

  Status put_text(const char *text, uint64_t bytes, uint64_t *at);
  bool needs_names(const Rule &rule) const;
  bool applies(const Rule &rule, const Module *module) const;
  Status find(Module *only, Pass pass);
  Status find_in(Module *module, Pass pass);
  bool recall(const Module *module);
  void remember(Module *module, uint64_t first_hit) const;
  Status prepare(Pass pass);
  Status sort_hits();

  Array<char> texts_;
  Array<Rule> rules_;
  Array<Hit> hits_;
  Array<uint32_t> ids_; // ids of the hits, in the order of the rules
  PatternSet set_;
  bool is_prepared_ = false;
  Module *only_ = nullptr;
};

// An empty batch. Its memory is reused, except that of a long list.
RuleBatch &spare_batch();

} // namespace nophook
