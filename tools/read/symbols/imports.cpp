// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file's dynamic relocations, symbols and versions.

#include "read/symbols/imports.h"

#include "machine/machine.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace nophook {

using namespace llvm::ELF;

namespace {

// The text at an offset, in a table that need not end with a zero.
std::string text_at(std::span<const uint8_t> strings, uint64_t offset) {
  if (offset >= strings.size())
    return {};
  std::string_view text(reinterpret_cast<const char *>(strings.data()), strings.size());
  text = text.substr(offset);
  return std::string(text.substr(0, text.find('\0')));
}

template <class T> bool copy_at(std::span<const uint8_t> bytes, uint64_t offset, T *to) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return false;
  std::memcpy(to, bytes.data() + offset, sizeof(T));
  return true;
}

class ImportReader {
public:
  explicit ImportReader(const ElfImage &image);
  Imports run();

private:
  struct Version {
    std::string library, name;
  };

  void read_versions();
  void read_relocations(const char *place, uint64_t address_tag, uint64_t size_tag);
  void add(const ElfFile::Elf_Rela &relocation);
  uint64_t value(int64_t tag) const; // value of a dynamic entry; 0 if there is none
  void damaged(std::string text) {
    if (imports_.damage.empty())
      imports_.damage = std::move(text);
  }

  const ElfImage &image_;
  std::map<int64_t, uint64_t> dynamic_;
  std::span<const uint8_t> strings_, symbols_, version_numbers_;
  std::map<uint16_t, Version> versions_;
  bool at_load_ = false;
  uint64_t nameless_ = 0; // number of relocations whose symbol does not exist
  Imports imports_;
};

ImportReader::ImportReader(const ElfImage &image)
    : image_(image), strings_(image.dynamic_table(DT_STRTAB, DT_STRSZ)) {
  for (const auto &entry : image.dynamic())
    dynamic_[entry.d_tag] = entry.getVal();
  if (value(DT_SYMTAB))
    symbols_ = image.from(value(DT_SYMTAB));
  if (value(DT_VERSYM))
    version_numbers_ = image.from(value(DT_VERSYM));
  at_load_ = dynamic_.contains(DT_BIND_NOW) || (value(DT_FLAGS) & DF_BIND_NOW) ||
             (value(DT_FLAGS_1) & DF_1_NOW);
}

uint64_t ImportReader::value(int64_t tag) const {
  const auto found = dynamic_.find(tag);
  return found == dynamic_.end() ? 0 : found->second;
}

// Reads lists within a list, whose offsets come from the file. Entries of a damaged one may
// overlap, which would make the lists as long as a product: there are no more versions than numbers
// for them.
void ImportReader::read_versions() {
  if (!value(DT_VERNEED))
    return;
  const std::span<const uint8_t> bytes = image_.from(value(DT_VERNEED));
  uint64_t at = 0, seen = 0;
  for (uint64_t file = 0; file < value(DT_VERNEEDNUM); file++) {
    ElfFile::Elf_Verneed need;
    if (!copy_at(bytes, at, &need) || ++seen > VERSYM_VERSION)
      return damaged("DT_VERNEED: a list does not end");
    uint64_t from = at + need.vn_aux;
    for (unsigned i = 0; i < need.vn_cnt; i++) {
      ElfFile::Elf_Vernaux version;
      if (!copy_at(bytes, from, &version) || ++seen > VERSYM_VERSION)
        return damaged("DT_VERNEED: a list does not end");
      versions_[version.vna_other & VERSYM_VERSION] = {text_at(strings_, need.vn_file),
                                                       text_at(strings_, version.vna_name)};
      if (!version.vna_next)
        break;
      from += version.vna_next;
    }
    if (!need.vn_next)
      break;
    at += need.vn_next;
  }
}

void ImportReader::add(const ElfFile::Elf_Rela &relocation) {
  const Machine *machine = find_machine(image_.machine());
  const uint32_t type = relocation.getType(/*isMips64EL=*/false);
  const bool is_plt = machine && type == machine->relocations.call_slot;
  const bool is_got = machine && type == machine->relocations.got_entry;
  if (!is_plt && !is_got)
    return;
  const uint64_t number = relocation.getSymbol(/*isMips64EL=*/false);
  ElfFile::Elf_Sym symbol;
  if (!copy_at(symbols_, number * sizeof symbol, &symbol) || symbol.st_name >= strings_.size()) {
    nameless_++;
    return;
  }
  const bool is_function =
      is_plt || symbol.getType() == STT_FUNC || symbol.getType() == STT_GNU_IFUNC;
  if (!is_function || symbol.st_shndx != SHN_UNDEF)
    return;
  Import import;
  import.slot = relocation.r_offset;
  import.name = text_at(strings_, symbol.st_name);
  import.is_plt = is_plt;
  import.is_weak = symbol.getBinding() == STB_WEAK;
  import.at_load = is_got || at_load_;
  for (const auto &p : image_.segments())
    if (p.p_type == PT_GNU_RELRO && import.slot >= p.p_vaddr && import.slot - p.p_vaddr < p.p_memsz)
      import.read_only = true;
  uint16_t version = 0;
  if (copy_at(version_numbers_, number * sizeof version, &version))
    if (auto found = versions_.find(version & VERSYM_VERSION); found != versions_.end()) {
      import.library = found->second.library;
      import.version = found->second.name;
    }
  imports_.functions.push_back(std::move(import));
}

void ImportReader::read_relocations(const char *place, uint64_t address_tag, uint64_t size_tag) {
  const uint64_t bytes = value((int64_t)size_tag);
  if (!bytes)
    return;
  const std::span<const uint8_t> table =
      image_.dynamic_table((int64_t)address_tag, (int64_t)size_tag);
  if (table.empty())
    return damaged(fmt::format("{}: lies outside of the file", place));
  nameless_ = 0;
  for (uint64_t at = 0; at + sizeof(ElfFile::Elf_Rela) <= table.size();
       at += sizeof(ElfFile::Elf_Rela)) {
    ElfFile::Elf_Rela relocation;
    std::memcpy(&relocation, table.data() + at, sizeof relocation);
    add(relocation);
  }
  if (nameless_)
    damaged(fmt::format("{}: {} of {} relocations have no symbol", place, nameless_,
                        table.size() / sizeof(ElfFile::Elf_Rela)));
}

Imports ImportReader::run() {
  read_versions();
  read_relocations("DT_RELA", DT_RELA, DT_RELASZ);
  read_relocations("DT_JMPREL", DT_JMPREL, DT_PLTRELSZ);
  auto &functions = imports_.functions;
  std::sort(functions.begin(), functions.end(),
            [](const Import &a, const Import &b) { return a.slot < b.slot; });
  // Some linkers let DT_RELA go on over the table of DT_JMPREL.
  functions.erase(std::unique(functions.begin(), functions.end(),
                              [](const Import &a, const Import &b) { return a.slot == b.slot; }),
                  functions.end());
  return std::move(imports_);
}

} // namespace

Imports read_imports(const ElfImage &image) {
  return ImportReader(image).run();
}

std::string import_name(const Import &import, std::string_view name) {
  return import.library.empty() ? std::string(name)
                                : fmt::format("{} [{}]", name, printable(import.library));
}

std::string slot_text(const Import &import) {
  return fmt::format("{}, resolved {}{}", import.is_plt ? "PLT" : "GOT",
                     import.at_load ? "at load" : "by the first call",
                     import.read_only ? ", read-only" : "");
}

} // namespace nophook
