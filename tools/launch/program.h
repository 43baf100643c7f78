// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `nophook record` must know of a program before it starts it: where it is, whether it
// can be traced at all, and how the runtime gets into it.
//
//   linked with the runtime     DT_NEEDED libnophook.so, or it defines the registration symbol
//   dynamic                     the runtime is preloaded
//   static, without             cannot be traced: refused
//   a script                    its interpreter gets the preload, and whatever it runs
//
// A program without sites of its own is refused unless a library that it links has some: an
// empty recording would be the answer to a question that nobody asked.

#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace nophook {

struct Program {
  std::string path;                   // what is executed
  std::vector<std::string> arguments; // argv
  bool preload = true;
};

// `arguments` begin with the program's name, which is searched for in PATH. `force`: do not
// ask for sites (it may load or run something that has some).
Result<Program> find_program(const std::vector<std::string> &arguments, bool force);

} // namespace nophook
