// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/build_id.h"

namespace nophook {

// The module keeps the beginning of a longer one.
static bool is_length(uint64_t bytes, const Module *module) {
  return bytes == module->build_id_bytes ||
         (bytes > sizeof(module->build_id) && module->build_id_bytes == sizeof(module->build_id));
}

bool has_build_id(const MappedFile &file, const Module *module) {
  uint32_t count = 0;
  const ElfW(Shdr) *sections = file.sections(&count);
  for (uint32_t i = 0; sections && module->build_id_bytes && i < count; i++) {
    const ElfW(Shdr) &section = sections[i];
    constexpr uint64_t kHeadBytes = sizeof(ElfW(Nhdr)) + 4; // with the name "GNU"
    if (section.sh_type != SHT_NOTE || section.sh_size < kHeadBytes + module->build_id_bytes)
      continue;
    const auto *note = file.at<ElfW(Nhdr)>(section.sh_offset, 1);
    const char *name = file.at<char>(section.sh_offset + sizeof(*note), 4);
    const char *id = file.at<char>(section.sh_offset + kHeadBytes, module->build_id_bytes);
    if (note && name && id && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        equal_bytes(name, "GNU", 4) && is_length(note->n_descsz, module) &&
        equal_bytes(id, module->build_id, module->build_id_bytes))
      return true;
  }
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
