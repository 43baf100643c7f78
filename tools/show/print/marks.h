// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of a trace beside calls: the program's own messages (trace_marker.h), stacks, repetitions
// of a call, and events made by text.

#pragma once

#include "show/print/probe_event.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

struct Mark {
  uint64_t ip = 0;               // an address in the function that has made it; 0: unknown
  std::string text;              // text, printable, without its newline
  std::optional<int32_t> number; // number of a raw mark
  std::vector<uint8_t> data;     // data of a raw mark

  std::vector<uint64_t> stack; // return addresses of the event before it, innermost first

  struct Repeats {
    uint32_t id = 0;
    uint64_t parent = 0;
    uint64_t count = 0; // number of repetitions; 0: none
    uint64_t ticks = 0; // time since the last repetition
  };
  Repeats repeats;

  std::optional<ProbeEvent> event;
};

// Reads the payload words of a mark. An unknown format gives an empty text.
Mark read_mark(std::span<const uint64_t> words);

// The kernel's text of a mark: its own, or `# 1 buf: 61 62`. Not for marks that are events.
std::string mark_text(const Mark &mark);

} // namespace nophook
