// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks LLVM's symbolizer, with the file opened here.

#include "read/symbols/source_lines.h"

#include "foundation/damaged_file.h"
#include "read/symbols/debug_file.h"
#include "read/symbols/debug_gaps.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/ObjectFile.h>

namespace nophook {

namespace object = llvm::object;

struct SourceLines::Symbolizer {
  object::OwningBinary<object::ObjectFile> file; // null: none may be read
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

namespace {

// Opens the object. By a path, the symbolizer would look for other files of this one by itself.
object::OwningBinary<object::ObjectFile> open_object(const std::string &path) {
  name_read_file(path);
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  if (!split_files_may_be_opened(*file->getBinary()))
    return {};
  return std::move(*file);
}

} // namespace

static llvm::symbolize::LLVMSymbolizer::Options options() {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.UseSymbolTable = false;
  options.Demangle = false;
  return options;
}

SourceLines::SourceLines(const ElfImage &image) {
  auto debug = find_debug_file(image);
  symbolizer_.reset(new Symbolizer{open_object(debug ? debug->path() : image.path()),
                                   llvm::symbolize::LLVMSymbolizer(options())});
}

SourceLines::~SourceLines() = default;

const SourceLine &SourceLines::at(uint64_t address) {
  auto [at, is_new] = lines_.try_emplace(address);
  const object::ObjectFile *object = symbolizer_->file.getBinary();
  if (!is_new || !object)
    return at->second;
  auto found = symbolizer_->symbolizer.symbolizeCode(
      *object, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return at->second;
  }
  // The site belongs to the line of the function's name or of its brace; the debug info of the
  // function itself decides, if it is there.
  bool has_start = found->StartLine && found->StartFileName != llvm::DILineInfo::BadString &&
                   !found->StartFileName.empty();
  const std::string &file = has_start ? found->StartFileName : found->FileName;
  if (file != llvm::DILineInfo::BadString)
    at->second = {printable(file), has_start ? found->StartLine : found->Line};
  return at->second;
}

} // namespace nophook
