// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that `nophook record` needs before it starts a program: its place, whether it
// can be traced at all, and how the runtime gets into it.
//
//   linked with the runtime     DT_NEEDED libnophook.so, or it defines the registration symbol
//   dynamic                     the runtime is preloaded
//   static, without             cannot be traced: refused if it has sites
//   a script                    its interpreter gets the preload, and whatever it runs
//
// A program without sites (sh, make, env) may start others that have some, or load a library that
// has: it is started, and `note` explains what the recording can have.
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
  std::string path;                   // what is executed
  std::vector<std::string> arguments; // argv
  bool preload = true;
  bool has_sites = false;      // it, or a library that it links
  std::string note = {};       // for the user, or empty
  std::string target = {};     // another CPU's, as find_runtime() takes it; or empty
  std::string foreign = {};    // then: what is wrong if the kernel cannot execute it
  bool has_lost_sites = false; // functions of it have a site that is in no table
};

// `arguments` begin with the program's name, which is searched for in PATH.
Result<Program> find_program(const std::vector<std::string> &arguments);

// Whether it has the runtime only if it is preloaded.
bool needs_preload(const ElfImage &image);

// A static program that nothing can be preloaded into, and that has no runtime of its own.
bool is_without_runtime(const ElfImage &image);

} // namespace nophook
