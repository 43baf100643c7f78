// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a client writes to livepatch/looks when it has seen that a thread is outside of what is
// left.

#pragma once

#include <stdint.h>

namespace nophook {

struct LookVerdict {
  uint64_t look; // the number of the list by which the thread was judged
  int32_t tid;
  uint64_t state; // as it was listed
};

// `LOOK TID STATE`, LOOK and STATE in hexadecimal. False: it is something else, or a number is too
// large for its field, so that another thread would be meant.
bool parse_verdict(const char *text, uint64_t bytes, LookVerdict *verdict);

} // namespace nophook
