// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the list of names for the extraction of a live patch.

#include "extract_list.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

namespace nophook {
namespace {

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace

llvm::Expected<ExtractList> ExtractList::read(llvm::StringRef path, llvm::vfs::FileSystem &files) {
  const auto buffer = files.getBufferForFile(path);
  if (!buffer)
    return failure("can't read file '" + path + "': " + buffer.getError().message());
  ExtractList list;
  list.path_ = path.str();
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (size_t i = 0; i < lines.size(); i++)
    if (!lines[i].empty())
      if (llvm::Error error = list.add(lines[i]))
        return failure(path + ":" + llvm::Twine(i + 1) + ": " + llvm::toString(std::move(error)));
  return list;
}

llvm::Error ExtractList::add(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef, 3> words;
  line.split(words, '\t');
  const llvm::StringRef word = words[0];
  const bool is_take = word == "take", is_new = word == "new", is_old = word == "old";
  if (!is_take && !is_new && !is_old)
    return failure("a line begins with 'take', 'new' or 'old', not '" + word + "'");
  const size_t least = is_old ? 3 : 2, most = is_new ? 2 : 3;
  if (words.size() < least || words.size() > most || words[1].empty() || words.back().empty())
    return failure(is_old    ? "expected old<TAB>NAME<TAB>SYMBOL"
                   : is_take ? "expected take<TAB>NAME, or take<TAB>NAME<TAB>GLUE"
                             : "expected new<TAB>NAME");
  Entry entry = {words[1].str(), words.size() == 3 ? words[2].str() : ""};
  std::string &before = words_[entry.name];
  const bool goes_together = (is_take && before == "old") || (is_old && before == "take");
  if (!before.empty() && !goes_together)
    return failure("'" + entry.name + "' is listed twice");
  before += word;
  if (is_take && entry.symbol.empty())
    entry.symbol = "nophook_klp_new." + entry.name;
  (is_take ? take_ : is_new ? new_ : old_).push_back(std::move(entry));
  return llvm::Error::success();
}

} // namespace nophook
