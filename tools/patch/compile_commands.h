// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json: how a build compiles each of its files. CMake and Meson write one, for
// others `bear -- make` does; clang -MJ writes the pieces.
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

// The words of a command as a shell would have them: quotes and backslashes, no variables.
std::vector<std::string> split_command(std::string_view command);

// `where` is the file, or a folder that has it. Fails if there is none, or it is damaged.
Result<std::vector<Unit>> read_compile_commands(const std::string &where);

// The file below `directory`: there, or in one of its folders. Fails if there is none or several.
Result<std::string> find_compile_commands(const std::string &directory);

} // namespace nophook
