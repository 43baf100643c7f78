// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the PT_NOTE segments of a loaded object, and checks the tables that its note leads to.

#include "sites/note.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <elf.h>

namespace nophook {

// Walks one PT_NOTE segment. Names and descriptors are padded to 4 bytes.
static void search_segment(const char *at, uint64_t bytes, NoteSearch *found) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const auto *header = reinterpret_cast<const ElfW(Nhdr) *>(at);
    uint64_t name_bytes = round_up(header->n_namesz, 4);
    uint64_t desc_bytes = round_up(header->n_descsz, 4);
    uint64_t total = sizeof(*header) + name_bytes + desc_bytes;
    if (total > bytes)
      return;
    const char *name = at + sizeof(*header);
    const char *desc = name + name_bytes;
    if (header->n_namesz == sizeof(NOPHOOK_NOTE_NAME) && header->n_type == NOPHOOK_NOTE_TYPE &&
        header->n_descsz >= NOPHOOK_NOTE_MIN_BYTES &&
        equal_bytes(name, NOPHOOK_NOTE_NAME, sizeof(NOPHOOK_NOTE_NAME)))
      found->note = reinterpret_cast<const nophook_note *>(desc),
      found->note_bytes = header->n_descsz;
    if (header->n_namesz == 4 && header->n_type == NT_GNU_BUILD_ID && equal_bytes(name, "GNU", 4)) {
      found->build_id = reinterpret_cast<const uint8_t *>(desc);
      found->build_id_bytes = header->n_descsz;
    }
    at += total;
    bytes -= total;
  }
}

NoteSearch search_notes(const dl_phdr_info *info) {
  NoteSearch found = {};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type == PT_NOTE && p.p_align <= 4)
      search_segment(reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr), p.p_memsz,
                     &found);
  }
  return found;
}

int rights_by_properties(const dl_phdr_info *info) {
  constexpr uint32_t kSegment = 0x6474e553, kNote = 5; // PT_GNU_PROPERTY, NT_GNU_PROPERTY_TYPE_0
  struct Header {
    ElfW(Nhdr) note;
    char name[4];
  };
  struct Property {
    uint32_t type, bytes, value; // fields of a property that we look for
  };
  int rights = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    const char *at = reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr);
    const auto *header = reinterpret_cast<const Header *>(at);
    if (p.p_type != kSegment || p.p_memsz < sizeof *header || header->note.n_type != kNote)
      continue;
    uint64_t left = p.p_memsz - sizeof *header;
    left = header->note.n_descsz < left ? header->note.n_descsz : left;
    at += sizeof *header;
    while (left >= sizeof(Property)) {
      const auto *property = reinterpret_cast<const Property *>(at);
      const uint64_t total = 8 + round_up(property->bytes, 8);
      if (property->bytes == 4)
        rights |= Arch::rights_by_property(property->type, property->value);
      if (total > left)
        break;
      at += total;
      left -= total;
    }
  }
  return rights;
}

bool is_table(const dl_phdr_info *info, uint64_t start, uint64_t stop, uint64_t entry,
              uint64_t align) {
  if (start >= stop || (stop - start) % entry || start % align)
    return false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    uint64_t begin = info->dlpi_addr + p.p_vaddr;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_R) && start >= begin && stop <= begin + p.p_memsz)
      return true;
  }
  return false;
}

TableBounds find_prototypes(const dl_phdr_info *info, const NoteSearch &found) {
  if (found.note_bytes < offsetof(nophook_note, static_calls))
    return {};
  uint64_t start = points_to(found.note->proto_start), stop = points_to(found.note->proto_stop);
  if (!is_table(info, start, stop, 4, 4))
    return {};
  return {start, stop};
}

nophook_static_calls *find_static_calls(const dl_phdr_info *info, const NoteSearch &found) {
  if (found.note_bytes < NOPHOOK_NOTE_KEPT_CALLS_BYTES)
    return nullptr;
  uint64_t at = points_to(found.note->static_calls);
  if (!is_table(info, at, at + sizeof(nophook_static_calls), sizeof(nophook_static_calls), 8))
    return nullptr;
  auto *calls = reinterpret_cast<nophook_static_calls *>(at);
  // The load base, which an undefined symbol of a PIE looks like, has a file header there.
  return at == info->dlpi_addr || calls->code_bytes > kPageBytes ? nullptr : calls;
}

nophook_life *find_life(const dl_phdr_info *info, const NoteSearch &found) {
  if (found.note_bytes < offsetof(nophook_note, rel_start))
    return nullptr;
  uint64_t at = points_to(found.note->life);
  bool is_there = is_table(info, at, at + sizeof(nophook_life), sizeof(nophook_life), 8);
  return is_there ? reinterpret_cast<nophook_life *>(at) : nullptr;
}

} // namespace nophook
