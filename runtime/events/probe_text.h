// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of dynamic_events or kprobe_events, taken apart:
//
//      f|p|r[MAXACTIVE][:[GROUP/][EVENT]] FUNCTION[+0][%return] [ARGUMENTS]   makes one
//      -:[GROUP/]EVENT                                                        takes one away
//      -:GROUP/                                                               all of a group
//
// Source of the semantics: the kernel's Documentation/trace/fprobetrace.rst, kprobetrace.rst, and
// its sentences for errors.

#pragma once

#include "base/memory.h"
#include "events/fetch.h"

namespace nophook {

using EventName = Text<64>;

struct ProbeText {
  char kind = 0; // 'f', 'p', 'r'; '-': a removal
  bool is_return = false;
  EventName group; // group; empty: of a removal, any group
  EventName event; // event; empty: of a removal, all events of the group
  Text<256> function;
  uint32_t function_at = 0; // offset of the function in the line
  Array<FetchArgument> arguments;
  uint32_t record_bytes = 0; // size of the record without texts
  // For a return probe: number of values that are kept from entry to return.
  uint32_t entry_values = 0;
};

// Parses a line of `bytes` bytes. The arguments are parsed afterwards, when the function is known.
ParseError parse_probe(const char *line, uint64_t bytes, ProbeText *probe);

// Parses the arguments of the same line. Errors: "no memory" is possible, too.
ParseError parse_arguments(const char *line, uint64_t bytes, const FetchScope &scope,
                           ProbeText *probe);

} // namespace nophook
