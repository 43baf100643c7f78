// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for the linker in PATH, and then where compilers keep theirs.

#include "build/cc/linker.h"

#include "foundation/file.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

bool is_self(const fs::path &path) {
  std::error_code error;
  return fs::equivalent(path, "/proc/self/exe", error);
}

std::string find_in(const char *path, const std::string &name) {
  if (name.find('/') != std::string::npos)
    return !is_self(name) && ::access(name.c_str(), X_OK) == 0 ? name : "";
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    std::error_code error;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error) &&
        !is_self(candidate))
      return candidate;
  }
  return "";
}

} // namespace

Result<std::vector<std::string>> real_linker(const std::string &name) {
  const char *variable = std::getenv("NOPHOOK_LD");
  std::vector<std::string> words;
  std::istringstream given(variable ? variable : "");
  for (std::string word; given >> word;)
    words.push_back(word);
  if (words.empty())
    words.push_back(name);
  const char *folders = std::getenv("PATH");
  std::string path = find_in(folders ? folders : "/usr/bin:/bin", words.front());
  if (path.empty() && words.front() == "ld.lld") // Debian has it by this name in a folder of LLVM's
    path = find_in("", NOPHOOK_LLVM_BINDIR "/ld.lld");
  // The compiler that links hands down the folders of its -B: rustup's toolchain has an lld there.
  if (const char *compilers = std::getenv("COMPILER_PATH"); path.empty() && compilers)
    path = find_in(compilers, words.front());
  if (path.empty())
    return Error{words.front(), "",
                 "no such linker is in PATH: NOPHOOK_LD names another one, such as ld or ld.lld",
                 kExitUsage};
  words.front() = path;
  return words;
}

Result<std::string> as_response_file(const std::vector<std::string> &arguments) {
  std::string text;
  for (const std::string &argument : arguments) {
    text += argument.empty() ? "\"\"" : "";
    for (const char c : argument) {
      if (std::string_view(" \t\n\r\v\f\"'\\").find(c) != std::string_view::npos)
        text += '\\';
      text += c;
    }
    text += '\n';
  }
  const int fd = ::memfd_create("nophook-ld", 0);
  if (fd < 0 || !write_all(fd, text.data(), text.size()))
    return system_error("ld", "the response file cannot be written");
  return fmt::format("@/proc/self/fd/{}", fd);
}

} // namespace nophook
