// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of names for the extraction of a live patch, which `nophook patch build` writes.

#ifndef NOPHOOK_LLVM_PASS_EXTRACT_LIST_H
#define NOPHOOK_LLVM_PASS_EXTRACT_LIST_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace nophook {

// The treatment of a module's names when code for a live patch is extracted from it. The file has a
// line for each, with tabs between the words:
//
//   take NAME [GLUE]   the body of this function or constant goes into the patch. The symbol of
//                      the new function is GLUE, or else `nophook_klp_new.NAME`
//   new NAME           a function or variable that only the new version of the program has
//   old NAME SYMBOL    lives in the running program; the runtime finds it by SYMBOL
//
// A name may be both `take` and `old`: then its body is taken, and calls go through the old one.
class ExtractList {
public:
  // Reads the file. An error names the file and its line.
  static llvm::Expected<ExtractList> read(llvm::StringRef path, llvm::vfs::FileSystem &files);

  struct Entry {
    std::string name;
    std::string symbol; // GLUE or SYMBOL; empty for `new`
  };

  const std::string &path() const { return path_; }
  const std::vector<Entry> &take() const { return take_; }
  const std::vector<Entry> &added() const { return new_; }
  const std::vector<Entry> &old() const { return old_; }

private:
  llvm::Error add(llvm::StringRef line);

  std::string path_;
  std::vector<Entry> take_;
  std::vector<Entry> new_;
  std::vector<Entry> old_;
  llvm::StringMap<std::string> words_; // for each name: the first words of its lines
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_EXTRACT_LIST_H
