// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a symbol with many patterns.
//
// A filter of a thousand names on a program of fifty thousand functions would be fifty million
// comparisons, each behind a demangling, in the traced process. So patterns are not tried one by
// one. Names are found by hash, and globs are compared with a symbol that is demangled once. If
// there are only names, few symbols are demangled at all (name_keys.h).
//
// A name goes before a glob: `operator*` and `f<char [4]>` have wildcards in them, and are names
// where a function has exactly that one. Only if there is none in all modules are they globs.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "ops/name_keys.h"

#include <stdint.h>

namespace nophook {

// The kind of a text, by its looks.
enum class PatternKind : uint8_t { kName, kGlob, kEither };
PatternKind kind_of_pattern(const char *pattern);

class PatternSet {
public:
  void clear();
  void release(); // removes all patterns, and gives all memory back

  // Adds a pattern. `kind` is the result of kind_of_pattern(), or for kEither the kind that was
  // chosen. `pattern` must stay in memory; hits report `number`. Errors: ENOMEM.
  Status add(const char *pattern, PatternKind kind, uint32_t number);

  // Prepares the tables; called behind the last add(). Errors: ENOMEM.
  Status prepare();

  bool empty() const { return patterns_.empty(); }

  // Calls hit(context, number) once for each pattern that means the symbol.
  using Hit = void (*)(void *context, uint32_t number);
  void match(const char *symbol, Hit hit, void *context) const;

private:
  struct Pattern {
    const char *text;
    uint64_t hash;
    uint32_t number;
    PatternKind kind;
  };
  void match_names(const char *name, size_t bytes, Hit hit, void *context) const;

  Array<Pattern> patterns_;
  Array<uint32_t> table_; // table of names by hash: 1 + index in patterns_; 0: free
  uint64_t globs_ = 0;
  NameKeys keys_;
};

} // namespace nophook
