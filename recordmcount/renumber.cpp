// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "renumber.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace nophook {

using llvm::Error;
namespace ELF = llvm::ELF;

SectionSymbols::SectionSymbols(const Object &object, const std::vector<uint32_t> &sections) {
  const std::set<uint32_t> wanted(sections.begin(), sections.end());
  if (wanted.empty())
    return;
  const uint32_t locals =
      object.symbol_table() ? object.sections()[object.symbol_table()].sh_info : 0;
  for (uint32_t i = 1; i < locals; i++) {
    const Elf::Sym &symbol = object.symbols()[i];
    const uint32_t section = object.section_of(i);
    // STT_NOTYPE: the marks between code and data on AArch64, which tools drop
    if (!section || !wanted.contains(section) || symbol.getType() == ELF::STT_TLS ||
        symbol.getType() == ELF::STT_NOTYPE)
      continue;
    const bool is_section = symbol.getType() == ELF::STT_SECTION;
    // A linker may throw away other local symbols (-x), but only after it has used them.
    if (is_section || !symbols_.contains(section))
      symbols_[section] = {i, symbol.st_value};
  }
  for (uint32_t section : wanted)
    if (!symbols_.contains(section)) {
      symbols_[section] = {locals + added_.size(), 0};
      added_.push_back(section);
    }
}

Error Renumbering::rewrite_symbols(std::vector<Elf::Shdr> &headers) {
  const uint32_t table = object_.symbol_table();
  std::vector<Elf::Sym> symbols(object_.symbols().begin(), object_.symbols().end());
  std::vector<Elf::Sym> added;
  for (uint32_t section : added_) {
    Elf::Sym symbol = {};
    symbol.setBindingAndType(ELF::STB_LOCAL, ELF::STT_SECTION);
    const bool fits = section < ELF::SHN_LORESERVE;
    if (!fits && !object_.extended_indexes())
      return error_in(object_.place(table), "needs a table of section numbers");
    symbol.st_shndx = fits ? section : uint32_t(ELF::SHN_XINDEX);
    added.push_back(symbol);
  }
  symbols.insert(symbols.begin() + first_global_, added.begin(), added.end());
  const auto *bytes = reinterpret_cast<const uint8_t *>(symbols.data());
  rewritten_.push_back({table, {bytes, bytes + symbols.size() * sizeof(Elf::Sym)}});
  headers[table].sh_info = first_global_ + added.size();

  if (const uint32_t extended = object_.extended_indexes()) {
    auto known = llvm::cantFail(
        object_.elf().getSectionContentsAsArray<Elf::Word>(object_.sections()[extended]));
    std::vector<Elf::Word> words(known.begin(), known.end());
    std::vector<Elf::Word> more;
    for (uint32_t section : added_)
      more.push_back(Elf::Word(section < ELF::SHN_LORESERVE ? 0 : section));
    words.insert(words.begin() + first_global_, more.begin(), more.end());
    const auto *start = reinterpret_cast<const uint8_t *>(words.data());
    rewritten_.push_back({extended, {start, start + words.size() * sizeof(Elf::Word)}});
  }
  return Error::success();
}

// Symbol numbers, ULEB128 each: whose address matters, so that a linker folds only the others.
Error Renumbering::rewrite_addrsig(uint32_t section) {
  const Bytes bytes = object_.contents(section);
  llvm::SmallString<256> text;
  llvm::raw_svector_ostream out(text);
  for (const uint8_t *at = bytes.begin(); at != bytes.end();) {
    unsigned length = 0;
    const char *problem = nullptr;
    const uint64_t symbol = llvm::decodeULEB128(at, &length, bytes.end(), &problem);
    if (problem || symbol >= object_.symbols().size())
      return error_in(object_.place(section), "names a symbol that does not exist");
    llvm::encodeULEB128(renumbered(symbol), out);
    at += length;
  }
  rewritten_.push_back({section, {text.begin(), text.end()}});
  return Error::success();
}

Error Renumbering::run(std::vector<uint8_t> &image, std::vector<Elf::Shdr> &headers) {
  const uint32_t table = object_.symbol_table();
  first_global_ = headers[table].sh_info;
  if (Error error = rewrite_symbols(headers))
    return error;
  for (uint32_t i = 1; i < object_.sections().size(); i++) {
    Elf::Shdr &header = headers[i];
    if (header.sh_link != table)
      continue;
    switch (uint32_t(header.sh_type)) {
    case ELF::SHT_RELA: {
      auto *relocation = reinterpret_cast<Elf::Rela *>(image.data() + header.sh_offset);
      for (auto *end = relocation + header.sh_size / sizeof(Elf::Rela); relocation != end;
           relocation++)
        relocation->setSymbol(renumbered(relocation->getSymbol(false)), false);
      break;
    }
    case ELF::SHT_GROUP:
      header.sh_info = renumbered(header.sh_info);
      break;
    case ELF::SHT_SYMTAB_SHNDX:
    case ELF::SHT_LLVM_CALL_GRAPH_PROFILE: // counts; its relocations name the symbols
      break;
    case ELF::SHT_LLVM_ADDRSIG:
      if (Error error = rewrite_addrsig(i))
        return error;
      break;
    default:
      return error_in(object_.place(i),
                      "names symbols in a way that is not known (section type 0x" +
                          llvm::Twine::utohexstr(header.sh_type) + ")");
    }
  }
  return Error::success();
}

} // namespace nophook
