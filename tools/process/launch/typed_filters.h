// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the filters that a user types into names that the runtime finds by itself.
//
// The runtime compares names in the traced process, where every step costs the program. It finds
// linked names, and, if the program has a C++ demangler, whole demangled names. A user means more:
// a name without its scopes, a compiler's copy (parse.isra.0), a name with blanks and commas. Such
// names are looked up here, in the files, and passed as linked. A name that the runtime finds
// itself is passed as it is, since a library that is loaded later may have a function of that name,
// too.

#pragma once

#include "process/launch/trace_request.h"
#include "read/symbols/name_index.h"

#include <cstdint>

namespace nophook {

struct TracedNames {
  NameIndex index;
  bool has_demangler = false;          // the process will have one
  std::vector<std::string> files = {}; // files that the index covers
};

// Why the index does not have a name: "its calls are inlined in main", or "the nearest: parse"; or
// empty.
std::string absence(const TracedNames &names, const std::string &typed);

// An error of a running process that was given these filters, with an explanation for each name
// that no function has.
Error with_absences(Error error, const TracedNames &names, const std::vector<std::string> &tokens);

// The names of a program and the libraries that it needs, or of the files that a process has
// mapped.
TracedNames names_of_program(const std::string &path);
TracedNames names_of_process(int32_t pid);

// A token of set_ftrace_filter: [!]NAME[:COMMAND…] or [!]NAME:mod:MODULE.
struct FilterToken {
  explicit FilterToken(const std::string &token);
  std::string sign, name, rest; // rest: with its colon
  // Whether it is a name that can be looked up: no number, no module's filter, not `*`.
  bool is_name() const;
};

std::vector<std::string> translated(const TracedNames &names,
                                    const std::vector<std::string> &tokens);

// Whether a request has lists of names; the request with these names translated.
bool names_functions(const TraceRequest &request);
TraceRequest translated(const TracedNames &names, TraceRequest request);

} // namespace nophook
