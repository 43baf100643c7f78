// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracefs/look_verdict.h"

#include "base/bytes.h"
#include "base/proc.h"

namespace nophook {
namespace {

constexpr uint64_t kMostHex = 16, kMostDecimal = 10; // digits of a word, and of a thread

// The next word of `*at`, which ends behind it; false: there is no number of so few digits.
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
