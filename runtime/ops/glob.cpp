// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches in one pass with one place to return to: when the text does not match the pattern any
// further, the last `*` takes one character more. Earlier ones need not: the last one can take the
// same text.

#include "ops/glob.h"

namespace nophook {
namespace {

// Matches `c` against the class behind `[`. Returns the text behind `]`, or null: not closed.
const char *match_class(const char *p, unsigned char c, bool *matches) {
  bool is_inverted = *p == '!' || *p == '^';
  p += is_inverted;
  bool found = false;
  const char *first = p; // a `]` that comes first is a member
  for (; *p && (*p != ']' || p == first); p++) {
    unsigned char low = (unsigned char)*p, high = low;
    if (p[1] == '-' && p[2] && p[2] != ']') {
      high = (unsigned char)p[2];
      p += 2;
    }
    found = found || (low <= c && c <= high);
  }
  *matches = found != is_inverted;
  return *p ? p + 1 : nullptr;
}

// The rest of the pattern behind its first element, if that matches `c`, else null.
const char *match_one(const char *p, unsigned char c) {
  if (*p == '?')
    return p + 1;
  if (*p == '[') {
    bool matches = false;
    if (const char *next = match_class(p + 1, c, &matches))
      return matches ? next : nullptr;
  }
  if (*p == '\\' && p[1])
    p++;
  return *p && (unsigned char)*p == c ? p + 1 : nullptr;
}

} // namespace

bool glob_match(const char *pattern, const char *text) {
  const char *back_pattern = nullptr, *back_text = nullptr;
  for (;;) {
    if (*pattern == '*') {
      back_pattern = ++pattern;
      back_text = text;
      if (!*pattern)
        return true;
      continue;
    }
    if (!*text && !*pattern)
      return true;
    const char *next = *text ? match_one(pattern, (unsigned char)*text) : nullptr;
    if (next) {
      pattern = next;
      text++;
      continue;
    }
    if (!back_pattern || !*back_text)
      return false;
    pattern = back_pattern;
    text = ++back_text;
  }
}

} // namespace nophook
