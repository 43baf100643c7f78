// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching globs against symbol names. Cold code; libc's fnmatch does the matching.

#include "ops/filter.h"

#include "base/log.h"
#include "sites/symbols.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

extern "C" char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status)
    __attribute__((weak));

namespace nophook {

// Never destroyed: all zero is its empty state, and threads may run on while the program exits.
alignas(GlobalFilters) static char g_storage[sizeof(GlobalFilters)];
GlobalFilters &global_filters() {
  return *reinterpret_cast<GlobalFilters *>(g_storage);
}

namespace {

// Cuts the parameter list, and what follows it, off a demangled name: the last balanced
// parentheses. "f(int) const" becomes "f", "operator()(int)" becomes "operator()".
void cut_parameters(char *name) {
  char *close = strrchr(name, ')');
  if (!close)
    return;
  int depth = 0;
  for (char *c = close; c >= name; c--) {
    depth += *c == ')' ? 1 : *c == '(' ? -1 : 0;
    if (depth == 0) {
      if (c > name)
        *c = 0;
      return;
    }
  }
}

// A symbol's names, demangled at most once whatever the number of patterns.
class Names {
public:
  explicit Names(const char *symbol) : symbol_(symbol) {}
  ~Names() {
    free(full_);
    free(cut_);
  }
  Names(const Names &) = delete;
  Names &operator=(const Names &) = delete;

  bool match(const char *pattern) {
    if (fnmatch(pattern, symbol_, 0) == 0)
      return true;
    if (symbol_[0] != '_' || symbol_[1] != 'Z' || !__cxa_demangle)
      return false;
    if (!full_) {
      int status = 0;
      full_ = __cxa_demangle(symbol_, nullptr, nullptr, &status);
      cut_ = full_ ? strdup(full_) : nullptr;
      if (!cut_)
        return false;
      cut_parameters(cut_);
    }
    return fnmatch(pattern, cut_, 0) == 0 || fnmatch(pattern, full_, 0) == 0;
  }

private:
  const char *symbol_;
  char *full_ = nullptr;
  char *cut_ = nullptr;
};

struct Visit {
  Array<char> *patterns;
  Array<uint32_t> *hits;
  uint8_t *wanted;
  uint8_t value;
};

void visit_name(void *context, uint32_t record, const char *name) {
  auto *visit = static_cast<Visit *>(context);
  Names names(name);
  uint64_t which = 0;
  for (const char *p = visit->patterns->begin(); p < visit->patterns->end();
       p += text_length(p) + 1, which++)
    if (names.match(p)) {
      visit->wanted[record] = visit->value;
      (*visit->hits)[which]++;
    }
}

} // namespace

Status Filter::set(const char *text, uint64_t bytes, bool reset, const char *separators) {
  if (reset) {
    patterns_.clear();
    hits_.clear();
  }
  for (uint64_t i = 0; i < bytes;) {
    uint64_t end = i;
    while (end < bytes && text[end] && !strchr(separators, text[end]))
      end++;
    for (uint64_t k = i; k < end; k++)
      if (!patterns_.push(text[k]))
        return failure(ENOMEM, "no memory for a filter");
    if (end > i && (!patterns_.push(0) || !hits_.push(0)))
      return failure(ENOMEM, "no memory for a filter");
    i = end + 1;
  }
  return {};
}

void Filter::apply(const Module *module, uint8_t *wanted, uint8_t value) {
  if (empty())
    return;
  uint64_t which = 0;
  for (const char *p = patterns_.begin(); p < patterns_.end(); p += text_length(p) + 1, which++)
    if (p[0] == '*' && p[1] == 0) { // needs no names
      for (uint32_t i = 0; i < module->records.count(); i++)
        wanted[i] = value;
      hits_[which] += module->records.count();
      return;
    }
  Visit visit = {&patterns_, &hits_, wanted, value};
  Status status = visit_symbols(module, visit_name, &visit);
  if (!status.ok()) {
    LogText line;
    log_line(line.add(module->path).add(": filters do not apply: ").add(status.reason));
  }
}

void Filter::report_misses(const char *file) const {
  uint64_t which = 0;
  for (uint64_t i = 0; i < patterns_.size(); which++) {
    const char *pattern = &patterns_[i];
    if (hits_[which] == 0) {
      LogText line;
      log_line(line.add(file).add(": no function matches '").add(pattern).add("'"));
    }
    i += text_length(pattern) + 1;
  }
}

} // namespace nophook
