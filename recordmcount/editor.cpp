// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor.h"
#include "renumber.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace nophook {
namespace {

using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

class Editor {
public:
  explicit Editor(const Object &object) : object_(object) {
    headers_.assign(object.sections().begin(), object.sections().end());
    const Bytes names = object.contents(object.section_names());
    names_.assign(names.begin(), names.end());
  }

  Expected<std::vector<uint8_t>> run(const Plan &plan, const std::vector<Attachment> &attachments);

private:
  void copy_what_stays();
  void apply(const Plan &plan);
  Error add_symbols(const std::vector<Attachment> &attachments);
  void attach(const Attachment &attachment);
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
  std::map<std::string, uint32_t> name_offsets_; // of the sections that are added
  SectionSymbols symbols_;
  std::map<uint32_t, std::vector<Elf::Word>> groups_; // those that get members
};

// All but the section table and the names, which are written again, if they are last.
void Editor::copy_what_stays() {
  uint64_t end = sizeof(Elf::Ehdr);
  for (uint32_t i = 1; i < headers_.size(); i++)
    if (i != object_.section_names() && headers_[i].sh_type != ELF::SHT_NOBITS)
      end = std::max<uint64_t>(end, headers_[i].sh_offset + headers_[i].sh_size);
  // Symbols have their names there as well: they stay.
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

Error Editor::add_symbols(const std::vector<Attachment> &attachments) {
  std::vector<uint32_t> code;
  for (const Attachment &attachment : attachments)
    code.push_back(attachment.code);
  symbols_ = SectionSymbols(object_, code);
  if (symbols_.added().empty())
    return Error::success();
  Renumbering renumbering(object_, symbols_.added());
  if (Error error = renumbering.run(image_, headers_))
    return error;
  for (const Renumbering::Rewritten &section : renumbering.rewritten()) {
    Elf::Shdr &header = headers_[section.section];
    header.sh_offset = append(section.bytes, 8);
    header.sh_size = section.bytes.size();
  }
  return Error::success();
}

// Few names for many sections: each is looked for once.
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
  Elf::Shdr table = {};
  table.sh_type = ELF::SHT_RELA;
  table.sh_flags = ELF::SHF_INFO_LINK;
  table.sh_link = object_.symbol_table();
  table.sh_info = index;
  table.sh_addralign = 8;
  table.sh_entsize = sizeof(Elf::Rela);
  table.sh_size = relocations.size() * sizeof(Elf::Rela);
  table.sh_offset = append(bytes_of(relocations), 8);
  add_section((".rela" + llvm::Twine(attachment.name)).str(), table, group);
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
                                           const std::vector<Attachment> &attachments) {
  copy_what_stays();
  apply(plan);
  if (Error error = add_symbols(attachments))
    return error;
  for (const Attachment &attachment : attachments)
    attach(attachment);
  write_groups();
  write_headers();
  return std::move(image_);
}

} // namespace

Expected<std::vector<uint8_t>> edit(const Object &object, const Plan &plan,
                                    const std::vector<Attachment> &attachments) {
  return Editor(object).run(plan, attachments);
}

} // namespace nophook
