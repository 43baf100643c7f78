// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recording of one file: an object, an archive, or with --sort a linked file.

#pragma once

#include "arguments.h"

namespace nophook::recordmcount {

// The result for one file.
struct Outcome : Counts {
  bool changed = false;
  std::string list;  // lines for --list
  std::string error; // empty: no error

  void add(const Record &record, const std::string &prefix) {
    *this += record;
    for (const ListedSite &site : record.list)
      list += prefix + site.place + " " + (site.function.empty() ? "?" : site.function) + "\n";
  }
};

// Records the file as the arguments say, and replaces it or writes their output. Any thread may
// call it: it has no state of its own.
Outcome record_file(const Arguments &arguments, const std::string &path);

} // namespace nophook::recordmcount
