// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// set_ftrace_filter and set_ftrace_notrace: which functions the tracer that is on wants.
// A function is traced if the filter is empty or matches it, and notrace does not.
//
// Patterns are shell globs (`*`, `?`, `[a-z]`, `\`), matched against the symbol's name, and in
// programs that contain a C++ demangler also against the demangled name with and without its
// parameter list. They are kept as text and applied to each module, so that one that is
// loaded later is filtered too.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "sites/module.h"

namespace nophook {

class Filter {
public:
  // Replaces (`reset`) or extends the patterns by those in `text`: `bytes` long, separated by
  // `separators`. Errors: ENOMEM.
  Status set(const char *text, uint64_t bytes, bool reset, const char *separators);
  bool empty() const { return patterns_.empty(); }

  // Sets wanted[i] to `value` for each record that a pattern matches. `hits`, one for each
  // pattern, counts matches. A module without readable symbols matches only `*`.
  void apply(const Module *module, uint8_t *wanted, uint8_t value);

  // One log line for each pattern that has matched nothing so far.
  void report_misses(const char *file) const;

private:
  Array<char> patterns_; // each with its terminating 0
  Array<uint32_t> hits_;
};

struct GlobalFilters {
  Filter filter;
  Filter notrace;
};
GlobalFilters &global_filters();

} // namespace nophook
