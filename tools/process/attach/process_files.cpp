// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/attach/process_files.h"

#include <cstring>
#include <fmt/format.h>
#include <linux/auxvec.h>

namespace nophook {
namespace {

constexpr uint64_t kFilePage = 4096;

// The address of the first segment, whose mapping is the lowest.
std::optional<uint64_t> first_address(const ElfImage &image) {
  for (const auto &p : image.segments())
    if (p.p_type == llvm::ELF::PT_LOAD)
      return p.p_vaddr / kFilePage * kFilePage;
  return std::nullopt;
}

template <class T> llvm::ArrayRef<T> contents(const ElfImage &image, uint32_t type) {
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return {};
  }
  for (const auto &section : *sections) {
    if (section.sh_type != type)
      continue;
    auto found = image.elf().getSectionContentsAsArray<T>(section);
    if (found)
      return *found;
    llvm::consumeError(found.takeError());
  }
  return {};
}

std::span<const char> dynamic_names(const ElfImage &image) {
  const auto bytes = image.dynamic_table(llvm::ELF::DT_STRTAB, llvm::ELF::DT_STRSZ);
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

bool is_named(std::span<const char> names, uint64_t at, std::string_view name) {
  return at < names.size() && names.size() - at > name.size() &&
         std::string_view(&names[at], name.size()) == name && names[at + name.size()] == '\0';
}

} // namespace

bool LoadedFile::is_program(int32_t pid) const {
  return contains(auxiliary_value(pid, AT_ENTRY));
}

uint64_t LoadedFile::function(std::string_view name) const {
  constexpr uint16_t kHidden = 0x8000; // an older version, for programs that were linked with it
  const auto symbols = contents<ElfFile::Elf_Sym>(image, llvm::ELF::SHT_DYNSYM);
  const auto versions = contents<llvm::support::ulittle16_t>(image, llvm::ELF::SHT_GNU_versym);
  const auto names = dynamic_names(image);
  for (size_t i = 0; i < symbols.size(); i++) {
    const auto &symbol = symbols[i];
    if (symbol.getType() == llvm::ELF::STT_FUNC && symbol.st_shndx != llvm::ELF::SHN_UNDEF &&
        (i >= versions.size() || !(versions[i] & kHidden)) && is_named(names, symbol.st_name, name))
      return bias + symbol.st_value;
  }
  return 0;
}

std::string LoadedFile::soname() const {
  const auto names = image.dynamic_strings(llvm::ELF::DT_SONAME);
  return names.empty() ? std::string() : names.front();
}

std::vector<LoadedFile> loaded_files(int32_t pid, const ProcessMap &map) {
  std::vector<LoadedFile> files;
  const auto &ranges = map.all();
  for (size_t first = 0, next; first < ranges.size(); first = next) {
    const MappedRange &range = ranges[first];
    bool has_code = false;
    uint64_t end = range.end;
    for (next = first; next < ranges.size() && ranges[next].inode == range.inode &&
                       ranges[next].name == range.name;
         next++) {
      has_code |= ranges[next].is_executable;
      end = ranges[next].end;
    }
    if (!has_code || !range.inode)
      continue;
    const FileDescriptor file = open_mapped(pid, range);
    auto image = file.valid() ? ElfImage::open(fmt::format("/proc/self/fd/{}", file.get()))
                              : Result<ElfImage>(Error{});
    const auto address = image ? first_address(*image) : std::nullopt;
    if (address)
      files.push_back({range.name, range.start, end, range.start - *address, std::move(*image)});
  }
  return files;
}

uint64_t auxiliary_value(int32_t pid, uint64_t type) {
  const std::string text = read_small_file(fmt::format("/proc/{}/auxv", pid));
  for (size_t at = 0; at + 16 <= text.size(); at += 16) {
    uint64_t pair[2];
    std::memcpy(pair, &text[at], sizeof pair);
    if (pair[0] == type)
      return pair[1];
  }
  return 0;
}

} // namespace nophook
