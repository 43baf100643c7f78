// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that `nophook record` needs before it starts a program: its path, whether it can be
// traced at all, and how the runtime gets into it.
//
//   linked with the runtime     DT_NEEDED libnophook.so, or it defines the registration symbol
//   dynamic                     the runtime is preloaded
//   static, without             cannot be traced: refused if it has sites
//   a script                    its interpreter gets the preload, and whatever it runs
//
// A program without sites (sh, make, env) may start others that have some, or load a library with
// sites: it is started, and `note` explains what the recording can contain.
//
// A program for another CPU is started if there is a runtime for it: the kernel may know an
// emulator (binfmt_misc). Only execve() shows that.

#pragma once

#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

class ElfImage;

struct Program {
  std::string path;                   // path of the file to execute
  std::vector<std::string> arguments; // argv
  bool preload = true;
  bool has_sites = false;      // whether it, or a library that it links, has sites
  std::string note = {};       // a line for the user, or empty
  std::string target = {};     // another CPU's target, in the form of find_runtime(); or empty
  std::string foreign = {};    // the error for such a program if the kernel cannot execute it
  bool has_lost_sites = false; // some of its functions have a site that is in no table
};

// `arguments` begin with the program's name, which is searched for in PATH.
Result<Program> find_program(const std::vector<std::string> &arguments);

// Whether it needs the preload to have the runtime.
bool needs_preload(const ElfImage &image);

// Whether it is a static program without a runtime of its own: nothing can be preloaded into it.
bool is_without_runtime(const ElfImage &image);

} // namespace nophook
