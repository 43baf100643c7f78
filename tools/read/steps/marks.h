// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instants in a trace beside calls: the program's own words (trace_marker.h), stacks, how often
// a call has come again, events made by text, and the kinds of nophook/event_kinds.h.

#pragma once

#include "read/steps/call_values.h"
#include "read/steps/probe_event.h"
#include "read/steps/step.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace nophook {

struct TextMark {
  uint64_t ip = 0;  // address in the function that wrote it; 0: unknown
  std::string text; // printable, without the end of its line
};

// The program's bytes, by trace_marker_raw.
struct RawMark {
  int32_t number = 0;
  std::vector<uint8_t> data;
};

// The stack at the event before it.
struct StackMark {
  std::vector<uint64_t> addresses; // return addresses, innermost first
};

// The last call of `function` came again.
struct RepeatsMark {
  uint32_t id = 0;     // function
  uint64_t parent = 0; // return address
  uint64_t count = 0;
  uint64_t ticks = 0; // since the last repetition
};

// A kind of event_kinds.h, by its schema.
struct OtherMark {
  std::string name;
  std::vector<NamedValue> fields;
};

using Mark = std::variant<TextMark, RawMark, StackMark, RepeatsMark, ProbeEvent, OtherMark>;

// The kind of a MARK event with these payload words.
Step::Kind mark_kind(std::span<const uint64_t> words);

// A damaged one is an empty text.
Mark read_mark(const Step &step);
Mark read_mark(std::span<const uint64_t> words); // payload words of a MARK event

// As the kernel shows it: the text, `# 1 buf: 61 62`, or `NAME: FIELD=VALUE`. Empty for stacks,
// repetitions and events made by text, whose text takes names of functions.
std::string mark_text(const Mark &mark);

} // namespace nophook
