// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an object's dynamic section, and looks a symbol up by its rules for versions.

#include "calls/loaded_object.h"

#include "base/bytes.h"

#include <string.h>

namespace nophook {
namespace {

constexpr uint16_t kVersionMask = 0x7fff, kHiddenVersion = 0x8000;
constexpr uint32_t kMostVersions = 1 << 15;

// The address in an entry of the dynamic section: glibc relocates the entries, musl and the
// kernel's vDSO do not.
uint64_t address_in(const LoadedObject &object, uint64_t value) {
  return value >= object.start && value < object.end ? value : object.bias + value;
}

template <class T> const T *read_at(const LoadedObject &object, uint64_t address) {
  return object.holds(address, sizeof(T)) && address % alignof(T) == 0
             ? reinterpret_cast<const T *>(address)
             : nullptr;
}

void read_entry(LoadedObject *object, const ElfW(Dyn) & entry) {
  const uint64_t value = entry.d_un.d_val, address = address_in(*object, value);
  switch (entry.d_tag) {
  case DT_SYMTAB:
    object->symbols = address;
    break;
  case DT_STRTAB:
    object->strings = address;
    break;
  case DT_STRSZ:
    object->string_bytes = value;
    break;
  case DT_GNU_HASH:
    object->hash = address;
    break;
  case DT_VERSYM:
    object->version_numbers = address;
    break;
  case DT_VERNEED:
    object->needed = address;
    break;
  case DT_VERNEEDNUM:
    object->needed_count = value;
    break;
  case DT_VERDEF:
    object->defined = address;
    break;
  case DT_VERDEFNUM:
    object->defined_count = value;
    break;
  case DT_JMPREL:
    object->plt_relocations = address;
    break;
  case DT_PLTRELSZ:
    object->plt_bytes = value;
    break;
  case DT_RELA:
    object->relocations = address;
    break;
  case DT_RELASZ:
    object->relocation_bytes = value;
    break;
  case DT_AUDIT:
  case DT_DEPAUDIT:
    object->has_auditor = true;
    break;
  default:
    break;
  }
}

uint16_t version_number(const LoadedObject &object, uint64_t symbol) {
  const auto *number =
      object.version_numbers
          ? read_at<uint16_t>(object, object.version_numbers + symbol * sizeof(uint16_t))
          : nullptr;
  return number ? *number : 0;
}

// The name of the version that the object itself defines under this number.
const char *defined_version(const LoadedObject &object, uint16_t number) {
  uint64_t at = object.defined;
  for (uint64_t i = 0; at && i < object.defined_count && i < kMostVersions; i++) {
    const auto *version = read_at<ElfW(Verdef)>(object, at);
    if (!version)
      return nullptr;
    if ((version->vd_ndx & kVersionMask) == number) {
      const auto *name = read_at<ElfW(Verdaux)>(object, at + version->vd_aux);
      return name ? string_at(object, name->vda_name) : nullptr;
    }
    if (!version->vd_next)
      break;
    at += version->vd_next;
  }
  return nullptr;
}

uint32_t gnu_hash(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (uint8_t)*name;
  return hash;
}

bool is_callable(const ElfW(Sym) & symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value &&
         (type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC) &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE);
}

} // namespace

bool read_object(const dl_phdr_info *info, LoadedObject *object) {
  *object = {};
  object->path = info->dlpi_name ? info->dlpi_name : "";
  object->bias = info->dlpi_addr;
  object->headers = info->dlpi_phdr;
  object->header_count = info->dlpi_phnum;
  object->start = ~uint64_t{0};
  const ElfW(Phdr) *dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    const uint64_t begin = info->dlpi_addr + p.p_vaddr, end = begin + p.p_memsz;
    if (p.p_type == PT_DYNAMIC)
      dynamic = &p;
    if (p.p_type == PT_GNU_RELRO) {
      object->protected_start = begin;
      object->protected_end = end;
    }
    if (p.p_type != PT_LOAD || !p.p_memsz)
      continue;
    object->start = begin < object->start ? begin : object->start;
    object->end = end > object->end ? end : object->end;
  }
  if (!dynamic || !object->holds(info->dlpi_addr + dynamic->p_vaddr, dynamic->p_memsz))
    return false;
  const auto *entry = reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr + dynamic->p_vaddr);
  for (uint64_t left = dynamic->p_memsz / sizeof *entry; left && entry->d_tag; left--, entry++)
    read_entry(object, *entry);
  return object->symbols && object->strings && object->holds(object->strings, object->string_bytes);
}

const ElfW(Sym) * symbol_at(const LoadedObject &object, uint64_t number) {
  return read_at<ElfW(Sym)>(object, object.symbols + number * sizeof(ElfW(Sym)));
}

const char *string_at(const LoadedObject &object, uint64_t offset) {
  if (offset >= object.string_bytes)
    return nullptr;
  const char *text = reinterpret_cast<const char *>(object.strings + offset);
  return memchr(text, 0, object.string_bytes - offset) ? text : nullptr;
}

const char *needed_version(const LoadedObject &object, uint64_t number) {
  const uint16_t wanted = version_number(object, number) & kVersionMask;
  uint64_t at = object.needed;
  uint32_t seen = 0;
  for (uint64_t i = 0; wanted > 1 && at && i < object.needed_count && seen < kMostVersions; i++) {
    const auto *file = read_at<ElfW(Verneed)>(object, at);
    if (!file)
      return nullptr;
    uint64_t from = at + file->vn_aux;
    for (uint32_t n = 0; n < file->vn_cnt && seen < kMostVersions; n++, seen++) {
      const auto *version = read_at<ElfW(Vernaux)>(object, from);
      if (!version)
        return nullptr;
      if ((version->vna_other & kVersionMask) == wanted)
        return string_at(object, version->vna_name);
      if (!version->vna_next)
        break;
      from += version->vna_next;
    }
    if (!file->vn_next)
      break;
    at += file->vn_next;
  }
  return nullptr;
}

// The rule of glibc's do_lookup_x() and check_match(): a reference without a version takes the
// oldest one, or the only one that is not hidden.
Lookup look_up(const LoadedObject &object, const char *name, const char *version,
               const ElfW(Sym) * *found) {
  struct Header {
    uint32_t buckets, first, bloom_words, bloom_shift;
  };
  const auto *header = object.hash ? read_at<Header>(object, object.hash) : nullptr;
  if (!header || !header->buckets || !header->bloom_words)
    return Lookup::kUnknown;
  const uint32_t hash = gnu_hash(name);
  const uint64_t buckets = object.hash + sizeof *header + (uint64_t)header->bloom_words * 8;
  const uint64_t chains = buckets + (uint64_t)header->buckets * 4;
  const auto *first = read_at<uint32_t>(object, buckets + hash % header->buckets * 4);
  if (!first)
    return Lookup::kUnknown;
  const ElfW(Sym) *by_default = nullptr;
  uint32_t defaults = 0;
  for (uint64_t number = *first; number >= header->first && number; number++) {
    const auto *chain = read_at<uint32_t>(object, chains + (number - header->first) * 4);
    const ElfW(Sym) *symbol = symbol_at(object, number);
    if (!chain || !symbol)
      return Lookup::kUnknown;
    const char *text = (*chain | 1) == (hash | 1) ? string_at(object, symbol->st_name) : nullptr;
    if (text && is_callable(*symbol) && !strcmp(text, name)) {
      const uint16_t has = version_number(object, number), defined = has & kVersionMask;
      const char *has_name = version && defined > 1 ? defined_version(object, defined) : nullptr;
      const bool is_it = !object.version_numbers ||
                         (version ? has_name && !strcmp(has_name, version) : defined < 3);
      if (is_it) {
        *found = symbol;
        return Lookup::kFound;
      }
      if (!version && !(has & kHiddenVersion) && !defaults++)
        by_default = symbol;
    }
    if (*chain & 1)
      break;
  }
  if (defaults != 1)
    return Lookup::kNone;
  *found = by_default;
  return Lookup::kFound;
}

} // namespace nophook
