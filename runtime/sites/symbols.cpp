// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader of ELF symbol tables that believes nothing.

#include "sites/symbols.h"

#include "arch/arch.h"
#include "base/memory.h"
#include "sites/module_file.h"

#include <errno.h>

namespace nophook {
namespace {

const ElfW(Shdr) * find_symbols(const ElfW(Shdr) * sections, uint32_t n) {
  const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM}; // .dynsym is what strip leaves
  for (uint32_t wanted : kinds)
    for (uint32_t i = 0; i < n; i++)
      if (sections[i].sh_type == wanted && sections[i].sh_size >= sizeof(ElfW(Sym)))
        return &sections[i];
  return nullptr;
}

} // namespace

bool find_record(const Module *module, uint64_t address, uint64_t bytes, uint32_t *index) {
  uint32_t i = module->records.lower_bound(address);
  if (i == module->records.count())
    return false;
  *index = i;
  uint64_t ip = module->records.ip(i), distance = ip - address;
  if (bytes)
    return distance < bytes;
  uint64_t pad = Arch::skip_landing_pad(reinterpret_cast<const uint8_t *>(address));
  return distance <= pad || (distance == pad + Arch::kSitePrefixBytes && Arch::has_site_prefix(ip));
}

// Calls visit(name, symbol) for each defined symbol.
template <class Visit> static Status each_symbol(const Module *module, Visit visit, bool *is_full) {
  if (module->calls)
    return failure(ENOENT, "call stubs are in no file");
  MappedFile file;
  NOPHOOK_TRY(map_module_file(module, &file));
  uint32_t section_count = 0;
  const ElfW(Shdr) *sections = file.sections(&section_count);
  if (!sections)
    return failure(ENOEXEC, "the module's file has no section headers");
  const ElfW(Shdr) *table = find_symbols(sections, section_count);
  if (!table || table->sh_link >= section_count)
    return failure(ENOEXEC, "the module's file has no symbol table");
  if (is_full)
    *is_full = table->sh_type == SHT_SYMTAB;
  const ElfW(Shdr) &strings = sections[table->sh_link];
  uint64_t count = table->sh_size / sizeof(ElfW(Sym));
  const auto *symbol = file.at<ElfW(Sym)>(table->sh_offset, count);
  const char *text = file.at<char>(strings.sh_offset, strings.sh_size);
  if (!symbol || !text || strings.sh_size == 0 || text[strings.sh_size - 1] != 0)
    return failure(ENOEXEC, "the module's symbol table is damaged");
  for (uint64_t i = 0; i < count; i++) {
    if (symbol[i].st_shndx != SHN_UNDEF && symbol[i].st_name < strings.sh_size &&
        text[symbol[i].st_name])
      visit(text + symbol[i].st_name, symbol[i]);
  }
  return {};
}

// Visits stubs. The address of a stub is its site's, which leads to its record.
static Status visit_stubs(const Module *module, SymbolVisitor visitor, void *context,
                          bool *is_full) {
  if (is_full)
    *is_full = true;
  for (uint32_t i = 0; i < module->records.count(); i++)
    visitor(context, module->calls->names[i], module->records.ip(i), Arch::kSiteBytes);
  return {};
}

Status visit_symbols(const Module *module, SymbolVisitor visitor, void *context, bool *is_full) {
  if (module->calls)
    return visit_stubs(module, visitor, context, is_full);
  return each_symbol(
      module,
      [&](const char *name, const ElfW(Sym) & symbol) {
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
          visitor(context, name, module->bias + symbol.st_value, symbol.st_size);
      },
      is_full);
}

Status visit_definitions(const Module *module, bool *is_full, DefinitionVisitor visitor,
                         void *context) {
  return each_symbol(
      module,
      [&](const char *name, const ElfW(Sym) & symbol) {
        auto kind = ELF64_ST_TYPE(symbol.st_info);
        if (kind != STT_SECTION && kind != STT_FILE)
          visitor(context, name, symbol);
      },
      is_full);
}

bool find_symbol(const Module *module, const char *name, uint64_t *address) {
  bool found = false;
  uint64_t bytes = text_length(name) + 1;
  Status status = each_symbol(
      module,
      [&](const char *other, const ElfW(Sym) & symbol) {
        auto kind = ELF64_ST_TYPE(symbol.st_info);
        if (found || (kind != STT_OBJECT && kind != STT_FUNC) || text_length(other) + 1 != bytes ||
            !equal_bytes(other, name, bytes))
          return;
        *address = module->bias + symbol.st_value;
        found = true;
      },
      nullptr);
  return status.ok() && found;
}

namespace {

struct Around {
  const Module *module;
  uint64_t address;
  uint32_t index;
  bool found;
};

void visit_around(void *context, const char *, uint64_t address, uint64_t bytes) {
  auto *around = static_cast<Around *>(context);
  if (!around->found && address <= around->address && around->address - address < bytes)
    around->found = find_record(around->module, address, bytes, &around->index);
}

} // namespace

bool find_function(uint64_t address, Module **module, uint32_t *index) {
  for (Module *m = first_module(); m; m = m->next) {
    if (!m->loaded || !in_text(m, address, 1))
      continue;
    *module = m;
    if (in_text(m, address, 4) && find_record(m, address, 0, index))
      return true;
    Around around = {m, address, 0, false};
    if (!visit_symbols(m, visit_around, &around).ok())
      return false;
    *index = around.index;
    return around.found;
  }
  return false;
}

FunctionName name_of_function(uint32_t id) {
  struct Wanted {
    uint64_t ip;
    FunctionName name;
  } wanted = {};
  for (const Module *m = first_module(); m; m = m->next) {
    if (!m->loaded || id - m->first_id >= m->records.count())
      continue;
    wanted.ip = m->records.ip(id - m->first_id);
    Status status = visit_symbols(
        m,
        [](void *context, const char *name, uint64_t address, uint64_t bytes) {
          auto *for_whom = static_cast<Wanted *>(context);
          bool is_it = address == for_whom->ip || for_whom->ip - address < bytes;
          if (is_it && !for_whom->name.size())
            for_whom->name.add(name);
        },
        &wanted);
    (void)status; // without a symbol table there is no name
  }
  return wanted.name;
}

} // namespace nophook
