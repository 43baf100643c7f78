// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the build id in the notes of a file with the one that its module has in memory.

#include "sites/build_id.h"

namespace nophook {

// The module keeps the first bytes of a longer build id.
static bool is_length(uint64_t bytes, const Module *module) {
  return bytes == module->build_id_bytes ||
         (bytes > sizeof(module->build_id) && module->build_id_bytes == sizeof(module->build_id));
}

// Whether a section of notes has the build id. A linker may gather all notes in one section.
static bool section_has_it(const MappedFile &file, const ElfW(Shdr) & section,
                           const Module *module) {
  constexpr uint64_t kHeadBytes = sizeof(ElfW(Nhdr)) + 4; // the head and the name "GNU"
  for (uint64_t at = 0; at < section.sh_size;) {
    const auto *note = file.at<ElfW(Nhdr)>(section.sh_offset + at, 1);
    if (!note)
      return false;
    const char *name = file.at<char>(section.sh_offset + at + sizeof(*note), 4);
    const char *id = file.at<char>(section.sh_offset + at + kHeadBytes, module->build_id_bytes);
    if (name && id && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        equal_bytes(name, "GNU", 4) && is_length(note->n_descsz, module) &&
        equal_bytes(id, module->build_id, module->build_id_bytes))
      return true;
    at += sizeof(*note) + round_up(note->n_namesz, 4) + round_up(note->n_descsz, 4);
  }
  return false;
}

bool has_build_id(const MappedFile &file, const Module *module) {
  uint32_t count = 0;
  const ElfW(Shdr) *sections = file.sections(&count);
  for (uint32_t i = 0; sections && module->build_id_bytes && i < count; i++)
    if (sections[i].sh_type == SHT_NOTE && section_has_it(file, sections[i], module))
      return true;
  return false;
}

BuildIdText build_id_text(const Module *module) {
  BuildIdText text;
  for (uint32_t i = 0; i < module->build_id_bytes; i++) {
    constexpr char kDigits[] = "0123456789abcdef";
    const char byte[] = {kDigits[module->build_id[i] >> 4], kDigits[module->build_id[i] & 15], 0};
    text.add(byte);
  }
  return text;
}

} // namespace nophook
