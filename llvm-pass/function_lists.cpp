// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include and exclude lists, in the format that clang's users know from the sanitizers:
//
//   fun:GLOB        a function, by its symbol or by its demangled name with arguments
//   src:GLOB        every function of the file that is compiled, as it was named to clang
//   mainfile:GLOB   the same
//   [nophook]       the entries below are for us alone; those above any section are too
//
// Clang's `src:` can also mean a header. A pass can find the file of a function only in debug
// information, and -g must never change what is instrumented: so an inline function
// belongs to the file that is compiled.
//
// One SpecialCaseList for each file, not one for all: so that a remark can name the place.

#include "function_lists.h"
#include "compat.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace nophook {
namespace {

unsigned matching_line(const llvm::SpecialCaseList &entries, const llvm::Function &function) {
  if (const unsigned line = line_of_entry(entries, "fun", function.getName()))
    return line;
  const std::string demangled = llvm::demangle(function.getName());
  if (demangled != function.getName())
    if (const unsigned line = line_of_entry(entries, "fun", demangled))
      return line;
  const llvm::StringRef source = function.getParent()->getSourceFileName();
  for (const char *prefix : {"src", "mainfile"})
    if (const unsigned line = line_of_entry(entries, prefix, source))
      return line;
  return 0;
}

} // namespace

llvm::Error FunctionLists::add(llvm::StringRef path, llvm::vfs::FileSystem &files) {
  std::string error;
  // The largest list. A FIFO would block, a device may have no end, and a sparse file may have any
  // size. A missing file is the list's own error.
  constexpr uint64_t kMostBytes = 64 << 20;
  const auto status = files.status(path);
  if (status && (!status->isRegularFile() || status->getSize() > kMostBytes))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "can't read file '" + path.str() + "': " +
            (status->isRegularFile() ? "it is larger than 64 MiB" : "it is not a regular file"));
  std::shared_ptr<const llvm::SpecialCaseList> entries =
      llvm::SpecialCaseList::create({path.str()}, files, error);
  if (!entries)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), error);
  files_.push_back({path.str(), std::move(entries)});
  return llvm::Error::success();
}

std::string FunctionLists::find(const llvm::Function &function) const {
  for (const File &file : files_)
    if (const unsigned line = matching_line(*file.entries, function))
      return file.path + ":" + std::to_string(line);
  return "";
}

std::vector<std::string> FunctionLists::paths() const {
  std::vector<std::string> paths;
  for (const File &file : files_)
    paths.push_back(file.path);
  return paths;
}

} // namespace nophook
