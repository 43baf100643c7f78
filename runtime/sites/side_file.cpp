// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors that are not loaded are looked for where a debugger looks for debug information:
// in the module's own file, and by its build-id below /usr/lib/debug (or NOPHOOK_DEBUG_DIR).
//
// A descriptor of another build would let function_graph call through what it must not, so a
// file counts only if its build-id is that of the module in memory. A module without build-id
// has no side file.

#include "sites/side_file.h"

#include "base/memory.h"
#include "sites/mapped_file.h"

#include <stdlib.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

bool has_build_id(const MappedFile &file, const ElfW(Shdr) * sections, uint32_t count,
                  const Module *module) {
  for (uint32_t i = 0; i < count; i++) {
    const ElfW(Shdr) &section = sections[i];
    constexpr uint64_t kHeadBytes = sizeof(ElfW(Nhdr)) + 4; // with the name "GNU"
    if (section.sh_type != SHT_NOTE || section.sh_size < kHeadBytes + module->build_id_bytes)
      continue;
    const auto *note = file.at<ElfW(Nhdr)>(section.sh_offset, 1);
    const char *name = file.at<char>(section.sh_offset + sizeof(*note), 4);
    const char *id = file.at<char>(section.sh_offset + kHeadBytes, module->build_id_bytes);
    if (note && name && id && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        equal_bytes(name, "GNU", 4) && note->n_descsz == module->build_id_bytes &&
        equal_bytes(id, module->build_id, module->build_id_bytes))
      return true;
  }
  return false;
}

bool is_named(const MappedFile &file, const ElfW(Shdr) & names, const ElfW(Shdr) & section) {
  constexpr char kName[] = NOPHOOK_SIDE_ARGS_SECTION;
  if (names.sh_size < sizeof kName || section.sh_name > names.sh_size - sizeof kName)
    return false;
  const char *name = file.at<char>(names.sh_offset + section.sh_name, sizeof kName);
  return name && equal_bytes(name, kName, sizeof kName);
}

ArgsRange read_from(const char *path, const Module *module) {
  MappedFile file(path);
  uint32_t count = 0;
  const ElfW(Shdr) *sections = file.sections(&count);
  const auto *header = file.at<ElfW(Ehdr)>(0, 1);
  if (!sections || header->e_shstrndx >= count || !has_build_id(file, sections, count, module))
    return {};
  for (uint32_t i = 0; i < count; i++) {
    const ElfW(Shdr) &section = sections[i];
    uint64_t entries = section.sh_size / sizeof(struct nophook_args);
    if (section.sh_type != SHT_PROGBITS || (section.sh_flags & (SHF_ALLOC | SHF_COMPRESSED)) ||
        !is_named(file, sections[header->e_shstrndx], section) || entries == 0 ||
        section.sh_size % sizeof(struct nophook_args))
      continue;
    // Its place in the file need not be aligned.
    const char *bytes = file.at<char>(section.sh_offset, section.sh_size);
    auto *copy = bytes ? static_cast<struct nophook_args *>(map_pages(section.sh_size)) : nullptr;
    if (!copy)
      return {};
    copy_bytes(copy, bytes, section.sh_size);
    uint64_t linked_at = module->bias + section.sh_addr;
    return {copy, copy + entries, linked_at - reinterpret_cast<uint64_t>(copy)};
  }
  return {};
}

} // namespace

ArgsRange read_side_args(const Module *module) {
  if (module->build_id_bytes < 2)
    return {};
  ArgsRange range = read_from(module->path, module);
  if (range.begin)
    return range;
  // The environment of a set-user-ID program is not its user's to use.
  const char *root = getauxval(AT_SECURE) ? nullptr : getenv("NOPHOOK_DEBUG_DIR");
  Text<1024> path;
  path.add(root ? root : "/usr/lib/debug").add("/.build-id/");
  for (uint32_t i = 0; i < module->build_id_bytes; i++) {
    constexpr char kDigits[] = "0123456789abcdef";
    const char byte[] = {kDigits[module->build_id[i] >> 4], kDigits[module->build_id[i] & 15], 0};
    path.add(byte).add(i ? "" : "/");
  }
  return read_from(path.add(".debug").c_str(), module);
}

} // namespace nophook
