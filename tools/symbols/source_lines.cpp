// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "symbols/source_lines.h"

#include "base/damaged_file.h"
#include "symbols/debug_file.h"

#include <filesystem>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/ObjectFile.h>

namespace nophook {

namespace object = llvm::object;

struct SourceLines::Symbolizer {
  object::OwningBinary<object::ObjectFile> file; // null: none that may be read
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

namespace {

// Whether LLVM may open it. LLVM opens any existing file, and would wait for a writer of a FIFO.
bool may_be_opened(const std::string &path) {
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

// With -gsplit-dwarf the names of more files are in the debug info, or made from the file's own.
bool split_files_may_be_opened(const object::ObjectFile &file) {
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  auto context = llvm::DWARFContext::create(
      file, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "", ignore, ignore);
  if (!may_be_opened((file.getFileName() + ".dwp").str()))
    return false;
  for (const auto &unit : context->compile_units()) {
    using namespace llvm::dwarf;
    llvm::DWARFDie die = unit->getUnitDIE(/*ExtractUnitDIEOnly=*/true);
    const char *name = toString(die.find({DW_AT_dwo_name, DW_AT_GNU_dwo_name}), nullptr);
    const char *folder = toString(die.find(DW_AT_comp_dir), nullptr);
    if (name && !may_be_opened(std::filesystem::path(folder ? folder : "") / name))
      return false;
  }
  return true;
}

// Opened here: by a path, the symbolizer would look for other files of this one by itself.
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
  // function itself says which it is, if it is there.
  bool has_start = found->StartLine && found->StartFileName != llvm::DILineInfo::BadString &&
                   !found->StartFileName.empty();
  const std::string &file = has_start ? found->StartFileName : found->FileName;
  if (file != llvm::DILineInfo::BadString)
    at->second = {printable(file), has_start ? found->StartLine : found->Line};
  return at->second;
}

} // namespace nophook
