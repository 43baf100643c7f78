// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor.h"
#include "renumber.h"

#include "nophook/site.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace nophook::recordmcount {
namespace {

using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

// The prefix of the symbols of records, which is the plugin's, too.
constexpr llvm::StringLiteral kRecordPrefix = "__nophook_";

class Editor {
public:
  explicit Editor(const Object &object) : object_(object) {
    headers_.assign(object.sections().begin(), object.sections().end());
    const Bytes names = object.contents(object.section_names());
    names_.assign(names.begin(), names.end());
  }

  Expected<std::vector<uint8_t>> run(const Plan &plan, const std::vector<Attachment> &attachments,
                                     const RecordTable &records);

private:
  void copy_what_stays();
  void apply(const Plan &plan);
  void attach(const Attachment &attachment);
  void attach(const RecordTable &records);
  std::vector<uint64_t> attach_texts(llvm::ArrayRef<llvm::StringRef> texts);
  void attach_record(const RecordTable::Named &named, uint32_t symbol,
                     const std::vector<Elf::Rela> &relocations);
  llvm::StringSet<> old_records() const;
  uint32_t add_symbol_name(llvm::StringRef name);
  void add_relocations(const std::vector<Elf::Rela> &relocations, llvm::StringRef name,
                       uint32_t section, uint32_t group);
  Error write_symbols();
  uint32_t name_offset(llvm::StringRef name);
  uint32_t add_section(llvm::StringRef name, Elf::Shdr header, uint32_t group);
  void write_groups();
  void write_headers();

  uint64_t append(Bytes bytes, uint64_t alignment) {
    image_.resize(llvm::alignTo(image_.size(), alignment));
    const uint64_t offset = image_.size();
    image_.insert(image_.end(), bytes.begin(), bytes.end());
    return offset;
  }
  template <class T> Bytes bytes_of(const std::vector<T> &items) {
    return Bytes(reinterpret_cast<const uint8_t *>(items.data()), items.size() * sizeof(T));
  }

  const Object &object_;
  std::vector<uint8_t> image_;
  std::vector<Elf::Shdr> headers_;
  std::vector<char> names_;
  std::map<std::string, uint32_t> name_offsets_; // by name of an added section
  SectionSymbols symbols_;
  std::vector<NewSymbol> locals_, globals_;
  std::vector<char> symbol_names_;                    // with names of global symbols, if any
  std::map<uint32_t, std::vector<Elf::Word>> groups_; // groups that get members
};

// Copies all but the section table and the names at the end, which are written again.
void Editor::copy_what_stays() {
  uint64_t end = sizeof(Elf::Ehdr);
  for (uint32_t i = 1; i < headers_.size(); i++)
    if (i != object_.section_names() && headers_[i].sh_type != ELF::SHT_NOBITS)
      end = std::max<uint64_t>(end, headers_[i].sh_offset + headers_[i].sh_size);
  // If symbols have their names there as well, the old names stay.
  const llvm::StringRef image = object_.image().take_front(end);
  image_.reserve(object_.image().size() + object_.image().size() / 4);
  image_.assign(image.bytes_begin(), image.bytes_end());
}

void Editor::apply(const Plan &plan) {
  for (const Patch &patch : plan.patches)
    llvm::copy(patch.bytes, image_.begin() + patch.file_offset);
  for (uint32_t section : plan.emptied)
    headers_[section].sh_size = 0;
}

// The offset of a section's name. Few names are for many sections: each is searched once.
uint32_t Editor::name_offset(llvm::StringRef name) {
  const auto [known, is_new] = name_offsets_.try_emplace(name.str());
  if (!is_new)
    return known->second;
  const auto found = llvm::StringRef(names_.data(), names_.size()).find(name.str() + '\0');
  known->second = found == llvm::StringRef::npos ? names_.size() : found;
  if (found == llvm::StringRef::npos) {
    names_.insert(names_.end(), name.begin(), name.end());
    names_.push_back('\0');
  }
  return known->second;
}

uint32_t Editor::add_section(llvm::StringRef name, Elf::Shdr header, uint32_t group) {
  header.sh_name = name_offset(name);
  const uint32_t index = headers_.size();
  if (group) {
    header.sh_flags = header.sh_flags | ELF::SHF_GROUP;
    auto &members = groups_[group];
    if (members.empty())
      members = llvm::cantFail(
          object_.elf().getSectionContentsAsArray<Elf::Word>(object_.sections()[group]));
    members.push_back(Elf::Word(index));
  }
  headers_.push_back(header);
  return index;
}

void Editor::attach(const Attachment &attachment) {
  const uint32_t group = object_.group_of(attachment.code);
  Elf::Shdr data = {};
  data.sh_type = ELF::SHT_PROGBITS;
  data.sh_flags = ELF::SHF_ALLOC | ELF::SHF_WRITE | ELF::SHF_LINK_ORDER;
  data.sh_link = attachment.code;
  data.sh_addralign = attachment.alignment;
  data.sh_size = attachment.bytes.size();
  data.sh_offset = append(attachment.bytes, attachment.alignment);
  const uint32_t index = add_section(attachment.name, data, group);

  std::vector<Elf::Rela> relocations;
  for (const Attachment::Relocation &wanted : attachment.relocations) {
    const auto [symbol, value] = symbols_.symbol_of(attachment.code);
    Elf::Rela relocation = {};
    relocation.r_offset = wanted.offset;
    relocation.setSymbolAndType(symbol, wanted.type, false);
    relocation.r_addend = wanted.target - value;
    relocations.push_back(relocation);
  }
  add_relocations(relocations, attachment.name, index, group);
}

void Editor::add_relocations(const std::vector<Elf::Rela> &relocations, llvm::StringRef name,
                             uint32_t section, uint32_t group) {
  Elf::Shdr table = {};
  table.sh_type = ELF::SHT_RELA;
  table.sh_flags = ELF::SHF_INFO_LINK;
  table.sh_link = object_.symbol_table();
  table.sh_info = section;
  table.sh_addralign = 8;
  table.sh_entsize = sizeof(Elf::Rela);
  table.sh_size = relocations.size() * sizeof(Elf::Rela);
  table.sh_offset = append(bytes_of(relocations), 8);
  add_section((".rela" + name).str(), table, group);
}

// Adds the texts; returns their offsets.
std::vector<uint64_t> Editor::attach_texts(llvm::ArrayRef<llvm::StringRef> texts) {
  std::vector<uint8_t> bytes;
  std::vector<uint64_t> offsets;
  for (llvm::StringRef text : texts) {
    offsets.push_back(bytes.size());
    bytes.insert(bytes.end(), text.bytes_begin(), text.bytes_end());
    bytes.push_back(0);
  }
  Elf::Shdr header = {};
  header.sh_type = ELF::SHT_PROGBITS;
  header.sh_flags = ELF::SHF_ALLOC | ELF::SHF_MERGE | ELF::SHF_STRINGS;
  header.sh_addralign = 1;
  header.sh_entsize = 1;
  header.sh_size = bytes.size();
  header.sh_offset = append(bytes, 1);
  locals_.push_back(section_symbol(add_section(NOPHOOK_STRING_SECTION, header, /*group=*/0)));
  return offsets;
}

uint32_t Editor::add_symbol_name(llvm::StringRef name) {
  const uint32_t table = object_.sections()[object_.symbol_table()].sh_link;
  std::vector<char> &names = table == object_.section_names() ? names_ : symbol_names_;
  if (names.empty()) {
    const Bytes old = object_.contents(table);
    names.assign(old.begin(), old.end());
  }
  names.insert(names.end(), name.begin(), name.end());
  names.push_back('\0');
  return names.size() - name.size() - 1;
}

void Editor::attach_record(const RecordTable::Named &named, uint32_t symbol,
                           const std::vector<Elf::Rela> &relocations) {
  Elf::Shdr group = {};
  group.sh_type = ELF::SHT_GROUP;
  group.sh_link = object_.symbol_table();
  group.sh_info = symbol;
  group.sh_addralign = sizeof(Elf::Word);
  group.sh_entsize = sizeof(Elf::Word);
  const uint32_t group_index = add_section(".group", group, /*group=*/0);
  groups_[group_index].push_back(Elf::Word(ELF::GRP_COMDAT));

  Elf::Shdr data = {};
  data.sh_type = ELF::SHT_PROGBITS;
  data.sh_flags = ELF::SHF_ALLOC;
  data.sh_addralign = sizeof(uint32_t);
  data.sh_size = named.record.words.size() * sizeof(uint32_t);
  data.sh_offset = append(Bytes(reinterpret_cast<const uint8_t *>(named.record.words.data()),
                                named.record.words.size() * sizeof(uint32_t)),
                          sizeof(uint32_t));
  const uint32_t index = add_section(NOPHOOK_PROTO_SECTION, data, group_index);
  if (!relocations.empty())
    add_relocations(relocations, NOPHOOK_PROTO_SECTION, index, group_index);

  NewSymbol global = {{}, index};
  global.symbol.st_name = add_symbol_name(kRecordPrefix.str() + named.name);
  global.symbol.setBindingAndType(ELF::STB_WEAK, ELF::STT_OBJECT);
  global.symbol.setVisibility(ELF::STV_HIDDEN);
  global.symbol.st_size = data.sh_size;
  globals_.push_back(global);
}

// The records in the object, as in a file linked by -r.
llvm::StringSet<> Editor::old_records() const {
  llvm::StringSet<> found;
  for (uint32_t i = object_.sections()[object_.symbol_table()].sh_info;
       i < object_.symbols().size(); i++)
    if (llvm::StringRef name = object_.symbol_name(object_.symbols()[i]);
        name.starts_with(kRecordPrefix) && object_.section_of(i))
      found.insert(name);
  return found;
}

void Editor::attach(const RecordTable &table) {
  if (table.records().empty())
    return;
  const uint32_t text_symbol =
      object_.sections()[object_.symbol_table()].sh_info + uint32_t(locals_.size());
  const std::vector<uint64_t> offsets = attach_texts(table.texts());
  const llvm::StringSet<> old = old_records();
  const uint32_t type = object_.machine().relocations.pc32;
  for (const RecordTable::Named &named : table.records()) {
    if (old.contains((kRecordPrefix + named.name).str()))
      continue;
    std::vector<Elf::Rela> relocations;
    for (const auto &[word, target] : named.record.links) {
      if (target.kind != Target::kText)
        continue;
      Elf::Rela relocation = {};
      relocation.r_offset = word * sizeof(uint32_t);
      relocation.setSymbolAndType(text_symbol, type, false);
      relocation.r_addend = offsets[target.number];
      relocations.push_back(relocation);
    }
    attach_record(named, object_.symbols().size() + locals_.size() + globals_.size(), relocations);
  }
}

Error Editor::write_symbols() {
  if (locals_.empty() && globals_.empty())
    return Error::success();
  Renumbering renumbering(object_, locals_, globals_);
  const size_t count = headers_.size();
  if (Error error = renumbering.run(image_, headers_))
    return error;
  if (headers_.size() > count)
    headers_.back().sh_name = name_offset(".symtab_shndx");
  for (const Renumbering::Rewritten &section : renumbering.rewritten()) {
    Elf::Shdr &header = headers_[section.section];
    header.sh_offset = append(section.bytes, 8);
    header.sh_size = section.bytes.size();
  }
  if (!symbol_names_.empty()) {
    Elf::Shdr &header = headers_[object_.sections()[object_.symbol_table()].sh_link];
    header.sh_offset = append(bytes_of(symbol_names_), 1);
    header.sh_size = symbol_names_.size();
  }
  return Error::success();
}

void Editor::write_groups() {
  for (const auto &[group, members] : groups_) {
    headers_[group].sh_offset = append(bytes_of(members), 4);
    headers_[group].sh_size = members.size() * sizeof(Elf::Word);
  }
}

void Editor::write_headers() {
  Elf::Shdr &names = headers_[object_.section_names()];
  names.sh_size = names_.size();
  names.sh_offset = append(bytes_of(names_), 1);
  auto header = object_.elf().getHeader();
  const uint64_t count = headers_.size();
  header.e_shnum = count < ELF::SHN_LORESERVE ? count : 0;
  headers_[0].sh_size = count < ELF::SHN_LORESERVE ? 0 : count;
  header.e_shoff = append(bytes_of(headers_), 8);
  std::memcpy(image_.data(), &header, sizeof header);
}

Expected<std::vector<uint8_t>> Editor::run(const Plan &plan,
                                           const std::vector<Attachment> &attachments,
                                           const RecordTable &records) {
  copy_what_stays();
  apply(plan);
  std::vector<uint32_t> code;
  for (const Attachment &attachment : attachments)
    code.push_back(attachment.code);
  symbols_ = SectionSymbols(object_, code);
  for (uint32_t section : symbols_.added())
    locals_.push_back(section_symbol(section));
  for (const Attachment &attachment : attachments)
    attach(attachment);
  attach(records);
  if (Error error = write_symbols())
    return error;
  write_groups();
  write_headers();
  return std::move(image_);
}

} // namespace

Expected<std::vector<uint8_t>> edit(const Object &object, const Plan &plan,
                                    const std::vector<Attachment> &attachments,
                                    const RecordTable &records) {
  return Editor(object).run(plan, attachments, records);
}

} // namespace nophook::recordmcount
