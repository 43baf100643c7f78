// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sort.h"
#include "analysis/object.h"
#include "nophook/site.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

#include <map>

namespace nophook::recordmcount {

using namespace analysis;

namespace {

using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;
namespace endian = llvm::support::endian;

constexpr uint64_t kNowhere = ~uint64_t{0};

Error refused(const llvm::Twine &problem) {
  return error_in(NOPHOOK_MCOUNT_SECTION, problem);
}

class Sorter {
public:
  Sorter(llvm::StringRef image, ElfFile file) : image_(image), file_(std::move(file)) {}

  Expected<Sorted> run();

private:
  // An entry: its value when the file is loaded, its offset in the file, and the offset of the
  // addend that makes the value.
  struct Entry {
    uint64_t value;
    uint64_t offset;
    uint64_t addend = kNowhere;
    bool is_relocated = false;
  };

  Error find_segments();
  Error find_table();
  Error read_entries();
  Error read_rela(uint64_t address, uint64_t bytes);
  Error read_relr(uint64_t address, uint64_t bytes);
  Error read_relocations();
  Error check_kept_relocations();
  Entry *entry_at(uint64_t address);

  // The file offset of `bytes` bytes that are loaded at `address`.
  std::optional<uint64_t> offset_of(uint64_t address, uint64_t bytes) const;
  uint64_t word(uint64_t offset) const { return endian::read64le(image_.data() + offset); }

  llvm::StringRef image_;
  ElfFile file_;
  llvm::ArrayRef<Elf::Phdr> segments_;
  uint64_t start_ = 0, stop_ = 0; // addresses of the table; equal: there is none
  std::vector<Entry> entries_;
};

Error Sorter::find_segments() {
  auto segments = file_.program_headers();
  if (!segments)
    return segments.takeError();
  segments_ = *segments;
  return Error::success();
}

std::optional<uint64_t> Sorter::offset_of(uint64_t address, uint64_t bytes) const {
  for (const Elf::Phdr &segment : segments_) {
    const uint64_t into = address - segment.p_vaddr;
    if (segment.p_type != ELF::PT_LOAD || address < segment.p_vaddr || into > segment.p_filesz ||
        bytes > segment.p_filesz - into)
      continue;
    const uint64_t offset = segment.p_offset + into;
    if (segment.p_offset <= image_.size() && offset >= into && offset <= image_.size() &&
        bytes <= image_.size() - offset)
      return offset;
  }
  return std::nullopt;
}

// Finds the table. Of two notes, the first one counts, as for other readers.
Error Sorter::find_table() {
  for (const Elf::Phdr &segment : segments_) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    bool is_found = false;
    for (const auto &note : file_.notes(segment, error)) {
      const llvm::ArrayRef<uint8_t> fields = note.getDesc(std::max<size_t>(segment.p_align, 4));
      if (is_found || note.getName() != NOPHOOK_NOTE_NAME || note.getType() != NOPHOOK_NOTE_TYPE ||
          fields.size() < NOPHOOK_NOTE_MIN_BYTES)
        continue;
      const uint64_t address = segment.p_vaddr + (fields.data() - file_.base() - segment.p_offset);
      start_ = address + endian::read64le(fields.data());
      stop_ = address + 8 + endian::read64le(fields.data() + 8);
      is_found = true;
    }
    if (is_found) {
      consumeError(std::move(error));
      return Error::success();
    }
    if (error)
      return error;
  }
  return error_in("note", "is not there: the file was linked without nophook_module.o");
}

Error Sorter::read_entries() {
  const std::optional<uint64_t> offset = offset_of(start_, stop_ - start_);
  if (start_ > stop_ || (stop_ - start_) % 8 || start_ % 8 || !offset)
    return error_in("note", "the bounds of the table are damaged");
  for (uint64_t at = 0; at < stop_ - start_; at += 8)
    entries_.push_back({word(*offset + at), *offset + at});
  return Error::success();
}

// The entry at an address; null: there is none.
Sorter::Entry *Sorter::entry_at(uint64_t address) {
  return address >= start_ && address < stop_ ? &entries_[(address - start_) / 8] : nullptr;
}

Error Sorter::read_rela(uint64_t address, uint64_t bytes) {
  const std::optional<uint64_t> table = offset_of(address, bytes);
  if (!table)
    return error_in("dynamic section", "the relocations are outside of the file's segments");
  const uint32_t relative = find_machine(file_.getHeader().e_machine)->relocations.relative;
  for (uint64_t at = 0; bytes - at >= sizeof(Elf::Rela); at += sizeof(Elf::Rela)) {
    const uint64_t place = *table + at;
    const uint64_t slot = word(place);
    // A relocation that reaches into the table from in front of it has no entry.
    Entry *entry = entry_at(slot);
    if (!entry)
      continue;
    if (slot % 8 || word(place + 8) != relative || entry->is_relocated)
      return refused("the entry at 0x" + llvm::Twine::utohexstr(slot) +
                     " is relocated in a way that is not known");
    entry->is_relocated = true;
    entry->addend = place + 16; // r_addend
    entry->value = word(entry->addend);
  }
  return Error::success();
}

Error Sorter::read_relr(uint64_t address, uint64_t bytes) {
  const std::optional<uint64_t> table = offset_of(address, bytes);
  if (!table || bytes % sizeof(Elf::Relr))
    return error_in("dynamic section", "the relocations are outside of the file's segments");
  const auto *words = reinterpret_cast<const Elf::Relr *>(image_.data() + *table);
  const ElfFile::Elf_Relr_Range packed(words, bytes / sizeof(Elf::Relr));
  for (const Elf::Rel &relocation : file_.decode_relrs(packed))
    if (Entry *entry = entry_at(relocation.r_offset)) {
      if (relocation.r_offset % 8 || entry->is_relocated)
        return refused("the entry at 0x" + llvm::Twine::utohexstr(relocation.r_offset) +
                       " is relocated in a way that is not known");
      entry->is_relocated = true;
    }
  return Error::success();
}

Error Sorter::read_relocations() {
  std::map<uint64_t, uint64_t> dynamic; // tag -> value; a missing one is 0
  for (const Elf::Phdr &segment : segments_) {
    if (segment.p_type != ELF::PT_DYNAMIC)
      continue;
    const std::optional<uint64_t> table = offset_of(segment.p_vaddr, segment.p_filesz);
    if (!table)
      return error_in("dynamic section", "is outside of the file's segments");
    for (uint64_t at = 0; segment.p_filesz - at >= sizeof(Elf::Dyn); at += sizeof(Elf::Dyn)) {
      if (word(*table + at) == ELF::DT_NULL)
        break;
      dynamic[word(*table + at)] = word(*table + at + 8);
    }
  }
  if (dynamic.contains(ELF::DT_RELASZ))
    if (Error error = read_rela(dynamic[ELF::DT_RELA], dynamic[ELF::DT_RELASZ]))
      return error;
  if (dynamic.contains(ELF::DT_RELRSZ))
    if (Error error = read_relr(dynamic[ELF::DT_RELR], dynamic[ELF::DT_RELRSZ]))
      return error;
  const bool moves = file_.getHeader().e_type == ELF::ET_DYN;
  for (const Entry &entry : entries_)
    if (entry.is_relocated != moves)
      return refused("the entry at 0x" +
                     llvm::Twine::utohexstr(start_ + (&entry - entries_.data()) * 8) +
                     (moves ? " has no relocation that is known" : " is relocated"));
  return Error::success();
}

// Refuses relocations that `--emit-relocs` has left: they would have the old order.
Error Sorter::check_kept_relocations() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const Elf::Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA || section.sh_flags & ELF::SHF_ALLOC)
      continue;
    auto relocations = file_.relas(section);
    if (!relocations)
      return relocations.takeError();
    for (const Elf::Rela &relocation : *relocations)
      if (entry_at(relocation.r_offset))
        return refused("has relocations of the linker's (--emit-relocs) that would be wrong");
  }
  return Error::success();
}

Expected<Sorted> Sorter::run() {
  if (Error error = find_segments())
    return error;
  if (Error error = find_table())
    return error;
  Sorted sorted;
  if (start_ == stop_ || (start_ == 0 && stop_ == 0))
    return sorted; // linked without the script, or without sites
  if (Error error = read_entries())
    return error;
  if (Error error = read_relocations())
    return error;
  sorted.sites = entries_.size();
  std::vector<uint64_t> values;
  for (const Entry &entry : entries_)
    values.push_back(entry.value);
  if (llvm::is_sorted(values))
    return sorted;
  if (Error error = check_kept_relocations())
    return error;
  llvm::sort(values);
  sorted.image.emplace(image_.bytes_begin(), image_.bytes_end());
  for (const auto &[entry, value] : llvm::zip(entries_, values)) {
    // Where a relocation has its own addend, linkers leave 0 in place, or the same value again.
    if (entry.addend == kNowhere || word(entry.offset) == entry.value)
      endian::write64le(&(*sorted.image)[entry.offset], value);
    if (entry.addend != kNowhere)
      endian::write64le(&(*sorted.image)[entry.addend], value);
  }
  return sorted;
}

Error check_header(llvm::StringRef image) {
  if (!image.starts_with(ELF::ElfMagic) || image.size() < sizeof(Elf::Ehdr) ||
      (uint8_t)image[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      (uint8_t)image[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return llvm::createStringError("is no 64-bit little-endian ELF file");
  const auto *header = reinterpret_cast<const Elf::Ehdr *>(image.data());
  if (!find_machine(header->e_machine))
    return llvm::createStringError("is for another processor than " + machine_names(" and "));
  if (header->e_type != ELF::ET_EXEC && header->e_type != ELF::ET_DYN)
    return llvm::createStringError("has not been linked yet: only what is linked can be sorted");
  return Error::success();
}

Expected<Sorted> sort_once(llvm::StringRef image) {
  if (Error error = check_header(image))
    return error;
  Expected<ElfFile> file = ElfFile::create(image);
  if (!file)
    return file.takeError();
  return Sorter(image, *file).run();
}

} // namespace

Expected<Sorted> sort_table(llvm::StringRef image) {
  Expected<Sorted> sorted = sort_once(image);
  if (!sorted || !sorted->image)
    return sorted;
  // Damaged bounds, or two relocations with the same bytes, show here.
  const auto *bytes = reinterpret_cast<const char *>(sorted->image->data());
  Expected<Sorted> again = sort_once({bytes, sorted->image->size()});
  if (again && again->sites == sorted->sites && !again->image)
    return sorted;
  llvm::consumeError(again.takeError());
  return refused("shares bytes with something else of the file");
}

} // namespace nophook::recordmcount
