// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of some functions of a module, from its file, for a recording to keep
// (read/symbols/recorded_names.h).

#pragma once

#include "read/symbols/recorded_names.h"

#include <set>

namespace nophook {

struct WantedNames {
  std::string path;
  std::string build_id;        // build id in the recording; empty: none
  std::set<uint32_t> sites;    // addresses of sites, as linked
  std::set<uint64_t> callers;  // addresses in calling functions, as linked
  std::set<std::string> calls; // names of functions that this module may call elsewhere
};

// The names. Null: the file is gone, is another one by now, or has none of them.
std::unique_ptr<RecordedNames> names_of_module(const WantedNames &wanted);

// The identity of a file without build-id, without names. Null: it has a build-id, or is gone.
std::unique_ptr<RecordedNames> identity_of_module(const WantedNames &wanted);

// A number for a file's content; 0: it cannot be read, or is too large.
uint64_t content_of_file(const std::string &path);

} // namespace nophook
