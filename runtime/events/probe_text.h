// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of dynamic_events or kprobe_events, taken apart:
//
//      f|p|r[MAXACTIVE][:[GROUP/][EVENT]] FUNCTION[+0][%return] [ARGUMENTS]   makes one
//      -:[GROUP/]EVENT                                                        takes one away
//      -:GROUP/                                                               all of a group
//
// Source of the semantics: the kernel's Documentation/trace/fprobetrace.rst, kprobetrace.rst, and
// its sentences for what is wrong.

#pragma once

#include "base/memory.h"
#include "events/fetch.h"

namespace nophook {

using EventName = Text<64>;

struct ProbeText {
  char kind = 0; // 'f', 'p', 'r'; '-': it takes away
  bool is_return = false;
  EventName group; // empty: of a removal, any group
  EventName event; // empty: of a removal, all of the group
  Text<256> function;
  uint32_t function_at = 0; // in the line
  Array<FetchArgument> arguments;
  uint32_t record_bytes = 0; // without texts
  uint32_t entry_values = 0; // of a return probe: values that are kept from entry to return
};

// `bytes` of a line. What the arguments mean is worked out afterwards, when the function is known.
ParseError parse_probe(const char *line, uint64_t bytes, ProbeText *probe);

// The arguments of the same line. Errors: with the reason "no memory" as well.
ParseError parse_arguments(const char *line, uint64_t bytes, const FetchScope &scope,
                           ProbeText *probe);

} // namespace nophook
