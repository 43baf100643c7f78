// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A patch names the functions and variables that it needs of the patched program by symbols that no
// object defines, as the kernel's patches do (Documentation/livepatch/module-elf-format.rst). They
// are weak, so the dynamic linker loads the library nevertheless, and its relocations say where the
// addresses belong.

#include "livepatch/klp_symbols.h"

#include "arch/arch.h"
#include "livepatch/patch_core.h"

#include <errno.h>
#include <link.h>

namespace nophook {
namespace {

constexpr char kPrefix[] = ".klp.sym.";
constexpr uint64_t kPrefixBytes = sizeof(kPrefix) - 1;

// The contents of the dynamic section. libc's libraries have complete addresses there, others the
// addresses of the file.
struct DynamicTables {
  const ElfW(Sym) * symbols;
  const char *strings;
  const ElfW(Rela) * relocations[2]; // relocations of data, and of calls
  uint64_t counts[2];
};

DynamicTables read_dynamic(const LoadedObject &object) {
  DynamicTables tables = {};
  auto at = [&](const ElfW(Dyn) * entry) {
    const uint64_t address = entry->d_un.d_ptr;
    return address >= object.start && address < object.end ? address : address + object.bias;
  };
  for (const ElfW(Dyn) *entry = object.dynamic; entry && entry->d_tag != DT_NULL; entry++)
    switch (entry->d_tag) {
    case DT_SYMTAB:
      tables.symbols = reinterpret_cast<const ElfW(Sym) *>(at(entry));
      break;
    case DT_STRTAB:
      tables.strings = reinterpret_cast<const char *>(at(entry));
      break;
    case DT_RELA:
      tables.relocations[0] = reinterpret_cast<const ElfW(Rela) *>(at(entry));
      break;
    case DT_RELASZ:
      tables.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
      break;
    case DT_JMPREL:
      tables.relocations[1] = reinterpret_cast<const ElfW(Rela) *>(at(entry));
      break;
    case DT_PLTRELSZ:
      tables.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
      break;
    default:
      break;
    }
  return tables;
}

// The number of bytes of `text`, which begins behind the prefix, that are the object's name and its
// dot.
uint64_t match_object(const char *text, const klp_object *object) {
  const char *name = object->name ? object->name : "program";
  const uint64_t bytes = text_length(name);
  for (uint64_t i = 0; i < bytes; i++)
    if (text[i] != name[i])
      return 0;
  return text[bytes] == '.' ? bytes + 1 : 0;
}

// Names of objects have dots, so the longest match counts.
Status parse_symbol(const nophook_klp *core, KlpPlace *place) {
  const char *text = place->symbol + kPrefixBytes;
  uint64_t longest = 0;
  for (uint32_t i = 0; i < core->objects.size(); i++) {
    const uint64_t bytes = match_object(text, core->objects[i].object);
    if (bytes > longest) {
      longest = bytes;
      place->object = i;
    }
  }
  if (!longest)
    return failure(EINVAL, "the symbol is of no object of the patch");
  place->name = text + longest;
  uint64_t comma = text_length(place->name), position = 0;
  const uint64_t end = comma;
  while (comma && place->name[comma] != ',')
    comma--;
  bool is_number = comma && comma + 1 < end && end - comma <= 9;
  for (uint64_t i = comma + 1; is_number && i < end; i++) {
    is_number = place->name[i] >= '0' && place->name[i] <= '9';
    position = position * 10 + (uint64_t)(place->name[i] - '0');
  }
  if (!is_number)
    return failure(EINVAL, "the symbol does not end with a comma and its position");
  place->name_bytes = (uint32_t)comma;
  place->position = (uint32_t)position;
  return {};
}

Status add_place(const nophook_klp *core, const ElfW(Rela) & relocation, const char *symbol,
                 uint64_t bias, Array<KlpPlace> *places) {
  KlpPlace place = {};
  place.symbol = symbol;
  place.address = bias + relocation.r_offset;
  place.addend = (uint64_t)relocation.r_addend;
  place.kind = Arch::relocated((uint32_t)ELF64_R_TYPE(relocation.r_info));
  Status status = parse_symbol(core, &place);
  if (status.ok() && place.kind == Relocated::kNothing)
    status = failure(EINVAL, "the symbol has a relocation that cannot be bound");
  if (!status.ok())
    return refuse(core, symbol, status);
  return places->push(place) ? Status{} : failure(ENOMEM, "no memory for the symbols of a patch");
}

struct Search {
  uint64_t address;
  LoadedObject *found;
  bool is_found;
};

int visit_object(dl_phdr_info *info, size_t bytes, void *context) {
  auto *search = static_cast<Search *>(context);
  LoadedObject object = {info->dlpi_addr, ~uint64_t{0}, 0, nullptr, 0, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    const uint64_t start = object.bias + segment.p_vaddr, end = start + segment.p_memsz;
    if (segment.p_type == PT_DYNAMIC)
      object.dynamic = reinterpret_cast<const ElfW(Dyn) *>(start);
    if (segment.p_type != PT_LOAD)
      continue;
    object.start = start < object.start ? start : object.start;
    object.end = end > object.end ? end : object.end;
    search->is_found |= search->address >= start && search->address < end;
  }
  if (!search->is_found)
    return 0;
  if (bytes >= offsetof(dl_phdr_info, dlpi_tls_data) + sizeof(info->dlpi_tls_data)) {
    object.tls_module = info->dlpi_tls_modid;
    object.tls_block = reinterpret_cast<uint64_t>(info->dlpi_tls_data);
  }
  *search->found = object;
  return 1;
}

} // namespace

bool find_loaded(uint64_t address, LoadedObject *found) {
  Search search = {address, found, false};
  dl_iterate_phdr(visit_object, &search);
  return search.is_found;
}

Status find_klp_places(const nophook_klp *core, Array<KlpPlace> *places) {
  LoadedObject library;
  if (!find_loaded(reinterpret_cast<uint64_t>(core->patch), &library))
    return {};
  const DynamicTables tables = read_dynamic(library);
  if (!tables.symbols || !tables.strings)
    return {};
  for (int table = 0; table < 2; table++)
    for (uint64_t i = 0; tables.relocations[table] && i < tables.counts[table]; i++) {
      const ElfW(Rela) &relocation = tables.relocations[table][i];
      const ElfW(Sym) &symbol = tables.symbols[ELF64_R_SYM(relocation.r_info)];
      const char *name = tables.strings + symbol.st_name;
      bool is_ours = symbol.st_shndx == SHN_UNDEF;
      for (uint64_t c = 0; is_ours && c < kPrefixBytes; c++)
        is_ours = name[c] == kPrefix[c];
      if (is_ours)
        NOPHOOK_TRY(add_place(core, relocation, name, library.bias, places));
    }
  return {};
}

} // namespace nophook
