// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of a recording that the user has set.

#pragma once

#include <chrono>
#include <cstdint>

namespace nophook {

struct Limits {
  uint64_t bytes = 0;                      // 0: none
  std::chrono::milliseconds duration = {}; // the same
};

} // namespace nophook
