// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a file's headers, and finds addresses in its segments.

#include "read/symbols/elf_image.h"

#include <cstring>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

bool is_elf(std::span<const uint8_t> bytes) {
  return bytes.size() >= EI_NIDENT && std::memcmp(bytes.data(), ElfMagic, 4) == 0;
}

std::string message_of(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  return printable(text.substr(0, text.find('\n')));
}

Result<ElfImage> ElfImage::open(const std::string &path) {
  ElfImage image;
  auto file = MappedFile::open(path);
  NOPHOOK_TRY(file);
  image.file_ = std::move(*file);
  std::span<const uint8_t> bytes = image.file_.bytes();
  if (!is_elf(bytes))
    return error_at(path, "is not an ELF file");
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return error_at(path, "is not a 64-bit little-endian ELF file");
  auto elf = ElfFile::create({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  if (!elf)
    return Error{path, "ELF header", message_of(elf.takeError())};
  image.elf_ = *elf;
  auto segments = image.elf_->program_headers();
  if (!segments)
    return Error{path, "program headers", message_of(segments.takeError())};
  image.segments_ = *segments;
  return image;
}

std::span<const uint8_t> ElfImage::at(uint64_t address, uint64_t bytes) const {
  for (const auto &p : segments_) {
    if (p.p_type != PT_LOAD || address < p.p_vaddr || address - p.p_vaddr > p.p_filesz ||
        bytes > p.p_filesz - (address - p.p_vaddr))
      continue;
    uint64_t offset = p.p_offset + (address - p.p_vaddr);
    if (offset < p.p_offset || offset > file_.size() || bytes > file_.size() - offset)
      continue;
    return file_.bytes().subspan(offset, bytes);
  }
  return {};
}

std::span<const uint8_t> ElfImage::from(uint64_t address) const {
  for (const auto &p : segments_)
    if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
      return at(address, p.p_filesz - (address - p.p_vaddr));
  return {};
}

bool ElfImage::in_segment(uint64_t address, uint64_t bytes, uint32_t flags) const {
  for (const auto &p : segments_)
    if (p.p_type == PT_LOAD && (p.p_flags & flags) == flags && address >= p.p_vaddr &&
        address - p.p_vaddr <= p.p_memsz && bytes <= p.p_memsz - (address - p.p_vaddr))
      return true;
  return false;
}

std::optional<ElfImage::Note> ElfImage::note(std::string_view name, uint32_t type) const {
  std::optional<Note> found;
  for (const auto &p : segments_) {
    if (p.p_type != PT_NOTE || found)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : elf_->notes(p, error)) {
      if (note.getName() != llvm::StringRef(name) || note.getType() != type || found)
        continue;
      llvm::ArrayRef<uint8_t> desc = note.getDesc(std::max<size_t>(p.p_align, 4));
      uint64_t offset = (uint64_t)(desc.data() - elf_->base());
      found = {p.p_vaddr + (offset - p.p_offset), {desc.data(), desc.size()}};
    }
    llvm::consumeError(std::move(error)); // the headers before the damage count
  }
  return found;
}

std::span<const uint8_t> ElfImage::build_id() const {
  auto found = note("GNU", NT_GNU_BUILD_ID);
  return found ? found->descriptor : std::span<const uint8_t>();
}

bool ElfImage::has_segment(uint32_t type) const {
  return llvm::any_of(segments_, [&](const auto &p) { return p.p_type == type; });
}

std::vector<ElfFile::Elf_Dyn> ElfImage::dynamic() const {
  std::vector<ElfFile::Elf_Dyn> entries;
  for (const auto &p : segments_) {
    if (p.p_type != PT_DYNAMIC)
      continue;
    std::span<const uint8_t> bytes = at(p.p_vaddr, p.p_filesz);
    for (; bytes.size() >= sizeof(ElfFile::Elf_Dyn);
         bytes = bytes.subspan(sizeof(ElfFile::Elf_Dyn))) {
      ElfFile::Elf_Dyn entry;
      std::memcpy(&entry, bytes.data(), sizeof entry);
      if (entry.d_tag == DT_NULL)
        break;
      entries.push_back(entry);
    }
    break;
  }
  return entries;
}

std::span<const uint8_t> ElfImage::dynamic_table(int64_t address_tag, int64_t size_tag) const {
  std::optional<uint64_t> address, bytes;
  for (const auto &entry : dynamic()) {
    if (entry.d_tag == address_tag)
      address = entry.getPtr();
    if (entry.d_tag == size_tag)
      bytes = entry.getVal();
  }
  return address && bytes ? at(*address, *bytes) : std::span<const uint8_t>();
}

std::vector<std::string> ElfImage::dynamic_strings(int64_t tag) const {
  std::vector<std::string> texts;
  std::span<const uint8_t> table = dynamic_table(DT_STRTAB, DT_STRSZ);
  std::string_view strings(reinterpret_cast<const char *>(table.data()), table.size());
  for (const auto &entry : dynamic())
    if (entry.d_tag == tag && entry.getVal() < strings.size()) {
      std::string_view text = strings.substr(entry.getVal());
      texts.emplace_back(text.substr(0, text.find('\0')));
    }
  return texts;
}

} // namespace nophook
