// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rustc's command line, and the flags that make what it builds traceable.
//
// rustc has an option for NOPs at the entry of functions, which is not stable: without
// RUSTC_BOOTSTRAP=1 a released rustc refuses it. Descriptors are made from debug info, by the
// linker of `nophook ld`, which the C compiler that rustc links with finds by -B.

#pragma once

#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

struct Machine; // machine/machine.h

struct RustLine {
  bool makes_code = false; // whether it compiles a crate; not a question, such as --print or -vV
  // Whether it is a procedural macro or a build script, which runs while others compile.
  bool is_for_build = false;
  const Machine *machine = nullptr; // the target's; null: none of ours
  bool can_trace = true;            // whether the target can be traced
  bool has_sites = false;           // whether -Zpatchable-function-entry is given already
  // -Cdebuginfo as given; lines alone have no types. Given as 0, it stays.
  bool has_types = false, has_no_debug_info = false;
};

RustLine read_rust_line(const std::vector<std::string> &arguments);

// The given arguments with ours. `linkers`: the folder of find_linker_folder().
std::vector<std::string> traceable(const std::vector<std::string> &arguments, const RustLine &line,
                                   const std::string &linkers);

} // namespace nophook
