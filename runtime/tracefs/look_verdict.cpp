// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a verdict strictly: a number that is cut would mean another thread.

#include "tracefs/look_verdict.h"

#include "base/bytes.h"
#include "base/proc.h"

namespace nophook {
namespace {

constexpr uint64_t kMostHex = 16, kMostDecimal = 10; // digits of a word, and of a thread

// Reads the next number of `*at`, which then points behind it; false: there is none, or it has more
// digits.
bool take_number(const char **at, unsigned base, uint64_t digits, uint64_t *number) {
  const char *from = *at;
  while (*from == ' ')
    from++;
  *number = number_at(from, base, at);
  return *at != from && (uint64_t)(*at - from) <= digits;
}

} // namespace

bool parse_verdict(const char *text, uint64_t bytes, LookVerdict *verdict) {
  Text<64> line;
  line.add(text, bytes);
  const char *at = line.c_str();
  uint64_t tid;
  if (!take_number(&at, 16, kMostHex, &verdict->look) ||
      !take_number(&at, 10, kMostDecimal, &tid) ||
      !take_number(&at, 16, kMostHex, &verdict->state) || at != line.c_str() + bytes ||
      tid > INT32_MAX)
    return false;
  verdict->tid = (int32_t)tid;
  return true;
}

} // namespace nophook
