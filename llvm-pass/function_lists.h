// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Include and exclude lists of functions.

#ifndef NOPHOOK_LLVM_PASS_FUNCTION_LISTS_H
#define NOPHOOK_LLVM_PASS_FUNCTION_LISTS_H

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SpecialCaseList.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace nophook {

// Files in the special case list format that name functions. Cheap to copy.
class FunctionLists {
public:
  // Reads one more file. An error names the file and its line.
  llvm::Error add(llvm::StringRef path, llvm::vfs::FileSystem &files);

  bool empty() const { return files_.empty(); }

  // The place where `function` is named, as "FILE:LINE"; empty if it is not.
  std::string find(const llvm::Function &function) const;

  std::vector<std::string> paths() const;

private:
  struct File {
    std::string path;
    std::shared_ptr<const llvm::SpecialCaseList> entries;
  };
  std::vector<File> files_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_FUNCTION_LISTS_H
