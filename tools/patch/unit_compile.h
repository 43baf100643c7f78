// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit of a build, compiled again: the same command with another output, and with our flags
// behind its own.

#pragma once

#include "patch/compile_commands.h"

namespace nophook {

// The reason why no patch can be built from the output of this command (gcc, -flto, assembly);
// empty: it can.
std::string refusal_of(const Unit &unit);

// The command that compiles the unit's file into `output`. `flags` come last.
std::vector<std::string> compile_command(const Unit &unit, const std::vector<std::string> &flags,
                                         const std::string &output);

// The command that prints the files that the unit includes, as a rule for make.
std::vector<std::string> dependencies_command(const Unit &unit,
                                              const std::vector<std::string> &flags);

// The absolute paths in such a rule.
std::vector<std::string> dependencies_in(const std::string &rule, const std::string &directory);

// Whether the command compiles C++, and whether its code is position-independent without more
// flags.
bool is_cxx(const Unit &unit);
bool is_pic(const Unit &unit);

} // namespace nophook
