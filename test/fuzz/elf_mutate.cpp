// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_fuzz.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

#include <cstring>
#include <random>
#include <span>

namespace nophook {
namespace {

using Elf = llvm::object::ELF64LE;
namespace ELF = llvm::ELF;

class Mutator {
public:
  Mutator(uint8_t *bytes, size_t size, uint32_t seed) : bytes_(bytes), size_(size), random_(seed) {
    if (size < sizeof(Elf::Ehdr))
      return;
    header_ = reinterpret_cast<Elf::Ehdr *>(bytes);
    sections_ = table<Elf::Shdr>(header_->e_shoff, header_->e_shnum * sizeof(Elf::Shdr));
    segments_ = table<Elf::Phdr>(header_->e_phoff, header_->e_phnum * sizeof(Elf::Phdr));
  }

  size_t run(size_t max_size) {
    switch (header_ ? below(20) : 0) {
    case 0:
      break;
    case 1:
      return below(20) ? size_ : below(size_ + 1);
    case 2:
      field(header_, 16, sizeof *header_);
      return size_;
    case 3:
      return grow(max_size);
    default:
      if (!segments_.empty() && below(3) == 0)
        return segment(segments_[below(segments_.size())]), size_;
      if (!sections_.empty())
        return section(sections_[below(sections_.size())]), size_;
    }
    if (size_)
      bytes_[below(size_)] = below(256);
    return size_;
  }

private:
  uint64_t below(uint64_t limit) { return random_() % limit; }

  // The entries of a table that lie within the file; they need not be aligned.
  template <class T> std::span<T> table(uint64_t offset, uint64_t bytes) {
    if (offset > size_ || bytes > size_ - offset)
      return {};
    return {reinterpret_cast<T *>(bytes_ + offset), bytes / sizeof(T)};
  }

  uint64_t value(uint64_t old) {
    switch (below(10)) {
    case 0:
      return 0;
    case 1:
      return old + 1;
    case 2:
      return old - 1;
    case 3:
      return old ^ (1ull << below(64));
    case 4:
      return sections_.size() - below(3);
    case 5:
      return size_ - below(9);
    case 6:
      return ~0ull - below(16);
    case 7: { // a value of another section
      const auto &other = sections_.empty() ? Elf::Shdr() : sections_[below(sections_.size())];
      const uint64_t of[] = {other.sh_offset, other.sh_size, other.sh_link, other.sh_info,
                             other.sh_type,   other.sh_addr, other.sh_flags};
      return of[below(std::size(of))];
    }
    default:
      return below(64);
    }
  }

  // One field of a record: 2, 4 or 8 bytes at a multiple of that.
  void field(void *record, size_t first, size_t bytes) {
    const size_t width = size_t(2) << below(3);
    auto *at = static_cast<uint8_t *>(record) + (first + below(bytes - first)) / width * width;
    if (at + width > bytes_ + size_)
      return;
    uint64_t number = 0;
    memcpy(&number, at, width);
    number = value(number);
    memcpy(at, &number, width);
  }

  void section(Elf::Shdr &section) {
    std::span<uint8_t> contents = section.sh_type == ELF::SHT_NOBITS
                                      ? std::span<uint8_t>()
                                      : table<uint8_t>(section.sh_offset, section.sh_size);
    if (contents.empty() || below(3) == 0)
      return field(&section, 0, sizeof section);
    if (below(16) == 0)
      return std::swap(section, sections_[below(sections_.size())]);
    const size_t record = section.sh_type == ELF::SHT_RELA     ? sizeof(Elf::Rela)
                          : section.sh_type == ELF::SHT_SYMTAB ? sizeof(Elf::Sym)
                                                               : 8;
    if (contents.size() < record)
      contents[below(contents.size())] = below(256);
    else
      field(contents.data() + below(contents.size() / record) * record, 0, record);
  }

  void segment(Elf::Phdr &segment) {
    std::span<uint8_t> contents = table<uint8_t>(segment.p_offset, segment.p_filesz);
    if (contents.size() < 16 || below(3) == 0)
      return field(&segment, 0, sizeof segment);
    // In a linked file the tables that matter are small and near the end of their segment.
    const size_t from = below(2) ? contents.size() - std::min<size_t>(contents.size(), 512) : 0;
    field(contents.data() + from + below((contents.size() - from) / 16) * 16, 0, 16);
  }

  // Bytes of the file's own, again, at its end.
  size_t grow(size_t max_size) {
    const size_t from = below(size_), bytes = std::min<size_t>(below(size_ - from), 64);
    if (size_ + bytes > max_size)
      return size_;
    memmove(bytes_ + size_, bytes_ + from, bytes);
    return size_ + bytes;
  }

  uint8_t *bytes_;
  size_t size_;
  std::mt19937 random_;
  Elf::Ehdr *header_ = nullptr;
  std::span<Elf::Shdr> sections_;
  std::span<Elf::Phdr> segments_;
};

} // namespace

size_t mutate_object(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed) {
  return Mutator(bytes, size, seed).run(max_size);
}

} // namespace nophook
