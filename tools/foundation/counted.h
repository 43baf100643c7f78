// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with their nouns, for messages.

#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace nophook {

// A text such as "1 event", "2 events"; `many`: the plural, if it is not made by an s.
inline std::string counted(uint64_t count, std::string_view one, std::string_view many = {}) {
  if (count == 1)
    return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

} // namespace nophook
