// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A client's verdict on a thread, which it writes to livepatch/looks when it has seen the thread
// outside of the left code.

#pragma once

#include <stdint.h>

namespace nophook {

struct LookVerdict {
  uint64_t look; // number of the list by which the thread was judged
  int32_t tid;
  uint64_t state; // state of the thread in that list
};

// Parses `LOOK TID STATE`, with LOOK and STATE in hexadecimal. False: the text has another form, or
// a number is too large for its field, so that another thread would be meant.
bool parse_verdict(const char *text, uint64_t bytes, LookVerdict *verdict);

} // namespace nophook
