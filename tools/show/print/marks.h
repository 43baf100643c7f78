// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a trace beside calls: the program's own words (trace_marker.h), stacks, how often a
// call has come again, events made by text.

#pragma once

#include "show/print/probe_event.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

struct Mark {
  uint64_t ip = 0;               // an address in the function that has made it; 0: not known
  std::string text;              // printable, without the end of its line
  std::optional<int32_t> number; // of a raw one, which has
  std::vector<uint8_t> data;     // instead of text

  std::vector<uint64_t> stack; // return addresses, innermost first; of the event before it

  struct Repeats {
    uint32_t id = 0;
    uint64_t parent = 0;
    uint64_t count = 0; // 0: none
    uint64_t ticks = 0; // since the last one
  };
  Repeats repeats;

  std::optional<ProbeEvent> event;
};

// Payload words of a mark. A format that is not known is an empty text.
Mark read_mark(std::span<const uint64_t> words);

// As the kernel shows it: the text, or `# 1 buf: 61 62`. Not for marks that are events.
std::string mark_text(const Mark &mark);

} // namespace nophook
