// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "symbols/source_lines.h"

#include "symbols/debug_file.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>

namespace nophook {

struct SourceLines::Symbolizer {
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

static llvm::symbolize::LLVMSymbolizer::Options options() {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.UseSymbolTable = false;
  options.Demangle = false;
  return options;
}

SourceLines::SourceLines(const ElfImage &image)
    : symbolizer_(new Symbolizer{llvm::symbolize::LLVMSymbolizer(options())}), path_(image.path()) {
  if (auto debug = find_debug_file(image))
    path_ = debug->path();
}

SourceLines::~SourceLines() = default;

const SourceLine &SourceLines::at(uint64_t address) {
  auto [at, is_new] = lines_.try_emplace(address);
  if (!is_new)
    return at->second;
  auto found = symbolizer_->symbolizer.symbolizeCode(
      path_, {address, llvm::object::SectionedAddress::UndefSection});
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
