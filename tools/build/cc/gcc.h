// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc as the compiler: it makes objects with calls to __fentry__, recordmcount makes these sites.
//
// `gcc -c` is run with two flags more, and then recordmcount on each object; so a compiler cache in
// front of gcc keeps what gcc made, and never what another recordmcount made of it. When gcc
// compiles and links in one run, the objects are temporary files that no other program sees: there
// gcc itself is asked (-wrapper) to start each of its own programs by way of `nophook gcc-step`,
// which gives the flags to the compiler proper and runs recordmcount behind the assembler. To take
// such a run apart would mean to know how gcc names dependency files, notes for gcov, split debug
// information and temporary files; and -p, which the compiler proper needs, would bring the linker
// gprof's start-up code.

#pragma once

#include "build/cc/command_line.h"
#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

struct GccRun {
  std::vector<std::string> compiler;  // words of the compiler, like "ccache gcc"
  std::vector<std::string> flags;     // our flags
  std::vector<std::string> arguments; // the user's arguments
};

// Runs gcc. Returns gcc's exit status, or 1 if recordmcount fails; does not return if nothing comes
// behind gcc. Our flags for the linker are among the flags already.
Result<int> run_gcc(const GccRun &run, const CommandLine &line);

// nophook gcc-step [FLAG...] PROGRAM [ARGUMENT...]: runs one of the programs that gcc starts; FLAGs
// are for the compiler proper.
Result<int> run_gcc_step(const std::vector<std::string> &arguments);

} // namespace nophook
