// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json: the command that compiles each file of a build. CMake and Meson write one,
// for others `bear -- make` does; clang -MJ writes the pieces.
//
// Source: clang.llvm.org/docs/JSONCompilationDatabase.html

#pragma once

#include "foundation/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace nophook {

// One run of a compiler.
struct Unit {
  std::string file;               // absolute, without "." and ".."
  std::string directory;          // in which the compiler runs
  std::vector<std::string> words; // the command
};

// Splits a command into its words as a shell does: with quotes and backslashes, without variables.
std::vector<std::string> split_command(std::string_view command);

// Reads the units. `where` is the file, or a folder that has it. Fails if there is none, or it is
// damaged.
Result<std::vector<Unit>> read_compile_commands(const std::string &where);

// Finds the file in `directory`, or in one of its folders. Fails if there is none or several.
Result<std::string> find_compile_commands(const std::string &directory);

} // namespace nophook
