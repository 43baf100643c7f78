// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "renumber.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace nophook::recordmcount {

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
    // A linker may discard other local symbols (-x), but only after it has used them.
    if (is_section || !symbols_.contains(section))
      symbols_[section] = {i, symbol.st_value};
  }
  for (uint32_t section : wanted)
    if (!symbols_.contains(section)) {
      symbols_[section] = {locals + added_.size(), 0};
      added_.push_back(section);
    }
}

NewSymbol section_symbol(uint32_t section) {
  Elf::Sym symbol = {};
  symbol.setBindingAndType(ELF::STB_LOCAL, ELF::STT_SECTION);
  return {symbol, section};
}

// Writes the symbols. The table of section numbers is for numbers that do not fit 16 bits.
void Renumbering::rewrite_symbols(std::vector<Elf::Shdr> &headers) {
  const uint32_t table = object_.symbol_table();
  const uint32_t extended = object_.extended_indexes();
  std::vector<Elf::Sym> symbols(object_.symbols().begin(), object_.symbols().end());
  std::vector<Elf::Word> words(symbols.size());
  if (extended)
    llvm::copy(llvm::cantFail(object_.elf().getSectionContentsAsArray<Elf::Word>(
                   object_.sections()[extended])),
               words.begin());
  bool needs_words = extended;
  auto insert = [&](llvm::ArrayRef<NewSymbol> added, size_t at) {
    std::vector<Elf::Sym> more;
    std::vector<Elf::Word> more_words;
    for (const NewSymbol &item : added) {
      const bool fits = item.section < ELF::SHN_LORESERVE;
      needs_words |= !fits;
      more.push_back(item.symbol);
      more.back().st_shndx = fits ? item.section : uint32_t(ELF::SHN_XINDEX);
      more_words.push_back(Elf::Word(fits ? 0 : item.section));
    }
    symbols.insert(symbols.begin() + at, more.begin(), more.end());
    words.insert(words.begin() + at, more_words.begin(), more_words.end());
  };
  insert(globals_, symbols.size());
  insert(locals_, first_global_);
  headers[table].sh_info = first_global_ + locals_.size();
  auto rewrite = [&](uint32_t section, const auto &items) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(items.data());
    rewritten_.push_back({section, {bytes, bytes + items.size() * sizeof items[0]}});
  };
  rewrite(table, symbols);
  if (!needs_words)
    return;
  if (!extended) {
    Elf::Shdr header = {};
    header.sh_type = ELF::SHT_SYMTAB_SHNDX;
    header.sh_link = table;
    header.sh_addralign = sizeof(Elf::Word);
    header.sh_entsize = sizeof(Elf::Word);
    headers.push_back(header);
  }
  rewrite(extended ? extended : headers.size() - 1, words);
}

// Renumbers the table of symbols whose address matters, ULEB128 each. A linker folds only the
// others.
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
  rewrite_symbols(headers);
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

} // namespace nophook::recordmcount
