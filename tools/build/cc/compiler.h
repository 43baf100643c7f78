// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kind of the chosen compiler: clang, which loads the plugin, or gcc, whose objects go
// through recordmcount.
//
// Its name decides, because asking it (--version) would start it once more for every file. For `cc`
// the target of the link decides.

#pragma once

#include <string>
#include <vector>

namespace nophook {

// The name of the gcc in a command, without folders: "g++-12" of {"ccache", "/usr/bin/g++-12"}.
// Empty if there is none: then it is clang. Options, and what follows them, are not looked at.
std::string gcc_in(const std::vector<std::string> &command);

// The same command for the other language, in which each compiler has a name of its own: {"ccache",
// "g++-12"} of {"ccache", "gcc-12"} for C++. Empty: no word is a compiler that is known.
std::vector<std::string> for_language(std::vector<std::string> command, bool is_cxx);

// The major version of the clang in a command, read off its name or the folder that it is really in
// (/usr/lib/llvm-19/bin/clang), because asking it would start it once more for every file. 0:
// neither shows it.
struct ClangVersion {
  unsigned major = 0;
  std::string path; // path of the program
};
ClangVersion clang_version(const std::vector<std::string> &command);

} // namespace nophook
