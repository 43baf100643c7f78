// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts in the debug info of an object that its code does not show: the layout of structures, the
// types of functions, and the functions that are inlined into others. Two versions of a unit are
// compared by them.

#pragma once

#include "foundation/result.h"

#include <map>
#include <set>
#include <string>

namespace nophook {

struct FunctionFacts {
  std::string prototype;         // "int (char *, long)"
  std::string file;              // absolute path
  unsigned line = 0;             // line of its declaration
  std::set<std::string> inlined; // linked names of the functions inlined into it
};

struct DebugFacts {
  std::map<std::string, FunctionFacts>
      functions;                              // by linked name, also those that are only inlined
  std::map<std::string, std::string> layouts; // by name: "struct S", "16 bytes: int a at 0, ..."

  // The functions that a line of a file lies in: those that begin at it or last in front of it.
  // Several functions are instances of a template. `name` is the end of `file`, below the tree:
  // builds may write another folder into debug info (-ffile-prefix-map).
  std::set<std::string> functions_at(const std::string &file, const std::string &name,
                                     unsigned line) const;
};

// Reads the facts. Fails if the object has no debug info.
Result<DebugFacts> read_debug_facts(const std::string &path);

} // namespace nophook
