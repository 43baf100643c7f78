// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own words in its trace (trace_marker.h).

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

struct Mark {
  uint64_t ip = 0;               // an address in the function that speaks; 0: it does not tell
  std::string text;              // printable, without the end of its line
  std::optional<int32_t> number; // of a raw one, which has
  std::vector<uint8_t> data;     // instead of text
};

// Payload words of a mark. A format that is not known is an empty text.
Mark read_mark(std::span<const uint64_t> words);

// As the kernel shows it: the text, or `# 1 buf: 61 62`.
std::string mark_text(const Mark &mark);

} // namespace nophook
