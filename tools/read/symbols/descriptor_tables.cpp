// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the tables by the note, or by the names of sections.

#include "read/symbols/descriptor_tables.h"

#include "read/symbols/debug_file.h"

#include <nophook/args.h>
#include <nophook/site.h>

#include <cstring>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

// The bytes between two distances of the note. Equal bounds, and those of a link without the linker
// script, mean an absent table, which is no damage.
TableBytes loaded_table(const ElfImage &image, const ElfImage::Note &note, size_t first_field,
                        const char *what, std::string *damage) {
  int64_t distance[2];
  if (note.descriptor.size() < (first_field + 2) * sizeof(int64_t))
    return {};
  std::memcpy(distance, note.descriptor.data() + first_field * sizeof(int64_t), sizeof distance);
  uint64_t start = note.address + 8 * first_field + (uint64_t)distance[0];
  uint64_t stop = note.address + 8 * (first_field + 1) + (uint64_t)distance[1];
  if (distance[0] == 0 || start == stop || (start == 0 && stop == 0))
    return {};
  TableBytes table = {start,
                      start < stop ? image.at(start, stop - start) : std::span<const uint8_t>()};
  if (table.bytes.empty())
    *damage = fmt::format("note: the bounds of the {} are outside of the file's segments", what);
  return table;
}

bool find_sections(DescriptorTables *tables, const ElfImage &image) {
  const ElfFile &elf = image.elf();
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  bool found = false;
  for (const auto &section : *sections) {
    auto name = elf.getSectionName(section);
    if (!name || section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_ALLOC)) {
      llvm::consumeError(name.takeError());
      continue;
    }
    TableBytes *table = *name == NOPHOOK_SIDE_ARGS_SECTION     ? &tables->args
                        : *name == NOPHOOK_SIDE_PROTO_SECTION  ? &tables->prototypes
                        : *name == NOPHOOK_SIDE_STRING_SECTION ? &tables->strings
                                                               : nullptr;
    if (!table)
      continue;
    auto bytes = elf.getSectionContents(section);
    if (!bytes || (section.sh_flags & SHF_COMPRESSED)) {
      tables->damage = fmt::format("{}: {}", name->str(),
                                   bytes ? "is compressed" : message_of(bytes.takeError()));
      continue;
    }
    found = true;
    *table = {section.sh_addr, {bytes->data(), bytes->size()}};
    tables->image = &image;
  }
  return found;
}

} // namespace

std::optional<std::string_view> DescriptorTables::text_at(uint64_t address) const {
  std::span<const uint8_t> bytes;
  if (strings.bytes.empty())
    bytes = image->from(address);
  else if (address >= strings.address && address - strings.address < strings.bytes.size())
    bytes = strings.bytes.subspan(address - strings.address);
  std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  size_t end = text.find('\0');
  return end == std::string_view::npos ? std::nullopt : std::optional(text.substr(0, end));
}

DescriptorTables find_descriptors(const ElfImage &image) {
  DescriptorTables tables;
  auto note = image.note(NOPHOOK_NOTE_NAME, NOPHOOK_NOTE_TYPE);
  if (!note || note->descriptor.size() < NOPHOOK_NOTE_MIN_BYTES)
    return tables;
  tables.args = loaded_table(image, *note, 2, "descriptors", &tables.damage);
  tables.prototypes = loaded_table(image, *note, 4, "prototypes", &tables.damage);
  tables.image = &image;
  if (!tables.args.bytes.empty() || !tables.damage.empty() || find_sections(&tables, image))
    return tables;
  if (auto debug = find_debug_file(image)) {
    tables.debug = std::make_shared<ElfImage>(std::move(*debug));
    find_sections(&tables, *tables.debug);
  }
  return tables;
}

} // namespace nophook
