// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors that are not loaded are looked for where a debugger looks for debug information:
// in the module's own file, and by its build-id below /usr/lib/debug (or NOPHOOK_DEBUG_DIR).
//
// A descriptor of another build would let function_graph call through a function that must not be
// called so. Therefore a file counts only if its build-id is that of the module in memory. A module
// without build-id has no side file.

#include "sites/side_file.h"

#include "base/memory.h"
#include "sites/build_id.h"

#include <stdlib.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

bool is_named(const MappedFile &file, const ElfW(Shdr) & names, const ElfW(Shdr) & section,
              const char *wanted) {
  uint64_t bytes = text_length(wanted) + 1;
  if (names.sh_size < bytes || section.sh_name > names.sh_size - bytes)
    return false;
  const char *name = file.at<char>(names.sh_offset + section.sh_name, bytes);
  return name && equal_bytes(name, wanted, bytes);
}

// Largest section: it is copied, and a file may be sparse.
constexpr uint64_t kMostBytes = 256 << 20;

// A copy of the section of this name, since its place in the file need not be aligned; or null.
const ElfW(Shdr) * copy_section(const MappedFile &file, const ElfW(Shdr) * sections, uint32_t count,
                                const ElfW(Shdr) & names, const char *wanted, char **copy) {
  for (uint32_t i = 0; i < count; i++) {
    const ElfW(Shdr) &section = sections[i];
    if (section.sh_type != SHT_PROGBITS || (section.sh_flags & (SHF_ALLOC | SHF_COMPRESSED)) ||
        !section.sh_size || section.sh_size > kMostBytes || !is_named(file, names, section, wanted))
      continue;
    const char *bytes = file.at<char>(section.sh_offset, section.sh_size);
    *copy = bytes ? static_cast<char *>(map_pages(section.sh_size)) : nullptr;
    if (!*copy)
      return nullptr;
    copy_bytes(*copy, bytes, section.sh_size);
    return &section;
  }
  return nullptr;
}

SideTables read_from(const char *path, const Module *module) {
  SideTables tables;
  MappedFile file(path);
  uint32_t count = 0;
  const ElfW(Shdr) *sections = file.sections(&count);
  const auto *header = file.at<ElfW(Ehdr)>(0, 1);
  if (!sections || header->e_shstrndx >= count || !has_build_id(file, module))
    return {};
  const ElfW(Shdr) &names = sections[header->e_shstrndx];
  char *copy = nullptr;
  const ElfW(Shdr) *args =
      copy_section(file, sections, count, names, NOPHOOK_SIDE_ARGS_SECTION, &copy);
  if (!args)
    return {};
  const auto *first = reinterpret_cast<const struct nophook_args *>(copy);
  tables.args = {first, first + args->sh_size / sizeof(*first),
                 module->bias + args->sh_addr - reinterpret_cast<uint64_t>(copy)};
  const ElfW(Shdr) *prototypes =
      copy_section(file, sections, count, names, NOPHOOK_SIDE_PROTO_SECTION, &copy);
  if (prototypes)
    tables.prototypes = {reinterpret_cast<uint64_t>(copy),
                         reinterpret_cast<uint64_t>(copy) + prototypes->sh_size};
  return tables;
}

} // namespace

SideTables read_side_tables(const Module *module) {
  if (module->build_id_bytes < 2)
    return {};
  SideTables tables = read_from(module->path, module);
  if (tables.args.begin)
    return tables;
  // The environment of a set-user-ID program is not its user's to use.
  const char *root = getauxval(AT_SECURE) ? nullptr : getenv("NOPHOOK_DEBUG_DIR");
  Text<1024> path;
  path.add(root ? root : "/usr/lib/debug").add("/.build-id/");
  const BuildIdText id = build_id_text(module);
  path.add(id.c_str(), 2).add("/").add(id.c_str() + 2);
  return read_from(path.add(".debug").c_str(), module);
}

} // namespace nophook
