// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace nophook {

// "1 event", "2 events"; `many` of a word that wants more than an s.
inline std::string counted(uint64_t count, std::string_view one, std::string_view many = {}) {
  if (count == 1)
    return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

} // namespace nophook
