// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes compilers by the names of programs and their links.

#include "build/cc/compiler.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>

namespace nophook {

namespace {

using llvm::StringRef;

// Whether a name is gcc's: gcc, g++, gcc-12, x86_64-linux-gnu-g++-12.1
bool is_gcc(StringRef name) {
  StringRef base = name.rtrim("0123456789.");
  if (base.size() != name.size() && !base.consume_back("-"))
    return false;
  return base == "gcc" || base == "g++" || base.ends_with("-gcc") || base.ends_with("-g++");
}

// The program behind a name such as `cc`: Debian's is a link to a link to gcc.
std::string resolved(StringRef program) {
  auto path = llvm::sys::findProgramByName(program);
  llvm::SmallString<128> real;
  if (!path || llvm::sys::fs::real_path(*path, real))
    return "";
  return llvm::sys::path::filename(real).str();
}

constexpr struct {
  const char *c, *cxx;
} kNames[] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};

// Changes the compiler's name in a path: its last part, or one that has a `-` in front of it.
// "ccache" is none.
bool change_language(std::string *word, bool is_cxx) {
  StringRef folder = llvm::sys::path::parent_path(*word), name = llvm::sys::path::filename(*word);
  StringRef stem = name.rtrim("0123456789.");
  if (stem.size() != name.size())
    stem.consume_back("-");
  for (const auto &[c, cxx] : kNames) {
    StringRef prefix = stem;
    if (!prefix.consume_back(is_cxx ? c : cxx) || !(prefix.empty() || prefix.ends_with("-")))
      continue;
    *word = (folder + (folder.empty() || folder == "/" ? "" : "/") + prefix + (is_cxx ? cxx : c) +
             name.substr(stem.size()))
                .str();
    return true;
  }
  return false;
}

} // namespace

std::vector<std::string> for_language(std::vector<std::string> command, bool is_cxx) {
  for (std::string &word : command) {
    if (word.starts_with("-"))
      break;
    if (change_language(&word, is_cxx))
      return command;
  }
  return {};
}

std::string gcc_in(const std::vector<std::string> &command) {
  for (const std::string &word : command) {
    StringRef name = llvm::sys::path::filename(word);
    if (name.starts_with("-") || name.starts_with("nophook")) // `nophook cc` chooses for itself
      return "";
    if (is_gcc(name))
      return name.str();
    if (name == "cc" || name == "c++")
      if (std::string target = resolved(word); is_gcc(target))
        return target;
  }
  return "";
}

ClangVersion clang_version(const std::vector<std::string> &command) {
  for (const std::string &word : command) {
    StringRef name = llvm::sys::path::filename(word);
    if (name.starts_with("-") || name.starts_with("nophook")) // `nophook cc` chooses for itself
      break;
    auto path = llvm::sys::findProgramByName(word);
    llvm::SmallString<128> real;
    if (!path || llvm::sys::fs::real_path(*path, real))
      continue;
    if (!name.contains("clang") && !llvm::sys::path::filename(real).contains("clang"))
      continue; // ccache, cc
    ClangVersion version = {0, real.str().str()};
    for (StringRef part : {llvm::sys::path::filename(real), name})
      if (part.contains("clang") && !version.major)
        part.rsplit('-').second.getAsInteger(10, version.major);
    for (StringRef part :
         llvm::make_range(llvm::sys::path::begin(real), llvm::sys::path::end(real)))
      if (part.consume_front("llvm-") && !version.major)
        part.getAsInteger(10, version.major);
    return version;
  }
  return {};
}

} // namespace nophook
