// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a fuzzer of texts does with an input for which something does not hold.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace nophook {

inline void demand(bool holds, const char *what, std::string_view input) {
  if (holds)
    return;
  fprintf(stderr, "fuzz: %s: %.*s\n", what, (int)input.size(), input.data());
  abort();
}

} // namespace nophook
