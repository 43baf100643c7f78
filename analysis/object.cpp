// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/object.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace nophook::analysis {

using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

Error error_in(const llvm::Twine &place, const llvm::Twine &problem) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), place + ": " + problem);
}

static Error refusal(const llvm::Twine &problem) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
}

// Whether sh_offset and sh_size name bytes of the file: in .bss, .tbss and sections that `objcopy
// --only-keep-debug` has emptied, they are sizes in memory.
static bool has_bytes(const Elf::Shdr &section) {
  return section.sh_type != ELF::SHT_NOBITS && section.sh_type != ELF::SHT_NULL;
}

static Error check_header(llvm::StringRef image) {
  if (image.starts_with("BC\xC0\xDE") || image.starts_with("\xDE\xC0\x17\x0B"))
    return refusal("is LLVM bitcode: its machine code is made in the link, use the plugin there");
  if (!image.starts_with(ELF::ElfMagic))
    return refusal("is no ELF object");
  if (image.size() < sizeof(Elf::Ehdr))
    return refusal("is cut off within the ELF header");
  if ((uint8_t)image[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      (uint8_t)image[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return refusal("is not 64-bit little endian");
  const auto *header = reinterpret_cast<const Elf::Ehdr *>(image.data());
  if (!find_machine(header->e_machine))
    return refusal("is for another processor than " + machine_names(" and "));
  if (header->e_type != ELF::ET_REL)
    return refusal("is no relocatable object: it has been linked already");
  return Error::success();
}

Expected<Object> Object::parse(llvm::StringRef image) {
  if (Error error = check_header(image))
    return error;
  Object object;
  object.image_ = image;
  Expected<ElfFile> file = ElfFile::create(image);
  if (!file)
    return file.takeError();
  object.file_.emplace(*file);
  if (Error error = object.read_sections())
    return error;
  if (Error error = object.check_overlap())
    return error;
  if (Error error = object.read_symbols())
    return error;
  if (Error error = object.check_relocations())
    return error;
  if (Error error = object.read_groups())
    return error;
  return object;
}

Error Object::read_sections() {
  auto sections = file_->sections();
  if (!sections)
    return sections.takeError();
  sections_ = *sections;
  if (sections_.empty())
    return refusal("has no section table");
  auto names = file_->getSectionStringTable(sections_);
  if (!names)
    return names.takeError();
  section_names_ = file_->getHeader().e_shstrndx;
  if (section_names_ == ELF::SHN_XINDEX)
    section_names_ = sections_[0].sh_link;
  if (section_names_ == 0)
    return refusal("has no names of sections");
  if (sections_[0].sh_type != ELF::SHT_NULL)
    return refusal("has a section with number 0");
  names_.reserve(sections_.size());
  groups_.resize(sections_.size());
  for (uint32_t i = 0; i < sections_.size(); i++) {
    auto name = file_->getSectionName(sections_[i], *names);
    if (!name)
      return name.takeError();
    names_.push_back(*name);
    if (has_bytes(sections_[i]))
      if (auto bytes = file_->getSectionContents(sections_[i]); !bytes)
        return bytes.takeError();
    if (sections_[i].sh_addralign & (sections_[i].sh_addralign - 1))
      return error_in(place(i), "its alignment is no power of two");
    if (sections_[i].sh_link >= sections_.size())
      return error_in(place(i), "linked to section " + llvm::Twine(sections_[i].sh_link) +
                                    ", which does not exist");
  }
  return Error::success();
}

std::string Object::place(uint32_t section) const {
  return llvm::formatv("section {0} '{1}'", section, names_[section]);
}

Bytes Object::contents(uint32_t section) const {
  if (!has_bytes(sections_[section]))
    return {};
  return llvm::cantFail(file_->getSectionContents(sections_[section]));
}

// Refuses sections that share bytes: both would change when one is edited.
Error Object::check_overlap() const {
  std::vector<uint32_t> order;
  for (uint32_t i = 1; i < sections_.size(); i++)
    if (has_bytes(sections_[i]) && sections_[i].sh_size)
      order.push_back(i);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return sections_[a].sh_offset < sections_[b].sh_offset;
  });
  const uint64_t table = file_->getHeader().e_shoff;
  const uint64_t table_end = table + sections_.size() * sizeof(Elf::Shdr);
  uint64_t end = sizeof(Elf::Ehdr);
  for (uint32_t i : order) {
    const uint64_t offset = sections_[i].sh_offset, next = offset + sections_[i].sh_size;
    if (offset < end || (offset < table_end && next > table))
      return error_in(place(i), "overlaps with other contents of the file");
    end = next;
  }
  return Error::success();
}

Error Object::read_symbols() {
  for (uint32_t i = 1; i < sections_.size(); i++) {
    if (sections_[i].sh_type == ELF::SHT_SYMTAB) {
      if (symbol_table_)
        return error_in(place(i), "is a second symbol table");
      symbol_table_ = i;
    }
  }
  if (!symbol_table_)
    return Error::success();
  const Elf::Shdr &header = sections_[symbol_table_];
  auto symbols = file_->symbols(&header);
  if (!symbols)
    return symbols.takeError();
  symbols_ = *symbols;
  if (header.sh_info > symbols_.size())
    return error_in(place(symbol_table_), "has more local symbols than symbols");
  if (header.sh_info == 0 && !symbols_.empty())
    return error_in(place(symbol_table_), "symbol 0 is not local");
  auto names = file_->getStringTableForSymtab(header);
  if (!names)
    return names.takeError();
  symbol_names_ = *names;
  for (uint32_t i = 1; i < sections_.size(); i++) {
    if (sections_[i].sh_type != ELF::SHT_SYMTAB_SHNDX || sections_[i].sh_link != symbol_table_)
      continue;
    auto table = file_->getSHNDXTable(sections_[i], sections_);
    if (!table)
      return table.takeError();
    extended_indexes_ = i;
    extended_ = *table;
  }
  for (uint32_t i = 0; i < symbols_.size(); i++) {
    if (symbols_[i].st_name >= symbol_names_.size() && symbols_[i].st_name)
      return error_in(place(symbol_table_),
                      "the name of symbol " + llvm::Twine(i) + " is not there");
    const uint16_t index = symbols_[i].st_shndx;
    if (index == ELF::SHN_XINDEX && extended_.empty())
      return error_in(place(symbol_table_),
                      "symbol " + llvm::Twine(i) + " needs a table of section numbers");
    if ((index < ELF::SHN_LORESERVE || index == ELF::SHN_XINDEX) &&
        section_of(i) >= sections_.size())
      return error_in(place(symbol_table_), "symbol " + llvm::Twine(i) + " is in section " +
                                                llvm::Twine(section_of(i)) +
                                                ", which does not exist");
  }
  return Error::success();
}

uint32_t Object::section_of(uint32_t symbol) const {
  if (symbol >= symbols_.size())
    return 0; // number 0 of an object without symbols
  const uint16_t index = symbols_[symbol].st_shndx;
  if (index == ELF::SHN_XINDEX)
    return extended_[symbol];
  return index < ELF::SHN_LORESERVE ? index : 0;
}

llvm::StringRef Object::symbol_name(const Elf::Sym &symbol) const {
  // The string table ends in a zero: LLVM has checked it.
  return symbol.st_name ? llvm::StringRef(symbol_names_.data() + symbol.st_name) : "";
}

Error Object::check_relocations() const {
  for (uint32_t i = 1; i < sections_.size(); i++) {
    const Elf::Shdr &section = sections_[i];
    if (section.sh_type == ELF::SHT_REL) // a form that these processors do not have
      return error_in(place(i), "has relocations without addends");
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    if (section.sh_info >= sections_.size())
      return error_in(place(i), "relocates section " + llvm::Twine(section.sh_info) +
                                    ", which does not exist");
    auto relocations = file_->relas(section);
    if (!relocations)
      return relocations.takeError();
    if (section.sh_link != symbol_table_)
      continue;
    for (const Elf::Rela &relocation : *relocations)
      if (relocation.getSymbol(false) >= std::max<size_t>(symbols_.size(), 1))
        return error_in(place(i), "names symbol " + llvm::Twine(relocation.getSymbol(false)) +
                                      ", which does not exist");
  }
  return Error::success();
}

llvm::ArrayRef<Elf::Rela> Object::relocations(uint32_t section) const {
  if (sections_[section].sh_link != symbol_table_)
    return {};
  return llvm::cantFail(file_->relas(sections_[section]));
}

Error Object::read_groups() {
  for (uint32_t i = 1; i < sections_.size(); i++) {
    if (sections_[i].sh_type != ELF::SHT_GROUP)
      continue;
    auto members = file_->getSectionContentsAsArray<Elf::Word>(sections_[i]);
    if (!members)
      return members.takeError();
    if (members->empty())
      return error_in(place(i), "is a group without its flag word");
    if (sections_[i].sh_link != symbol_table_ || sections_[i].sh_info >= symbols_.size())
      return error_in(place(i), "is a group without a symbol");
    for (uint32_t member : members->drop_front()) {
      if (member == 0 || member >= sections_.size())
        return error_in(place(i), "has section " + llvm::Twine(member) +
                                      " as a member, which does not exist");
      if (sections_[member].sh_type == ELF::SHT_GROUP)
        return error_in(place(i), "has a group as a member");
      if (groups_[member])
        return error_in(place(i), "has " + place(member) + " as a member, as another group has");
      groups_[member] = i;
    }
  }
  return Error::success();
}

} // namespace nophook::analysis
