// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reaction of a fuzzer of texts to an input that breaks a claim.

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
