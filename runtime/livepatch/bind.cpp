// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a patch uses static variables and static functions of the program. The dynamic linker
// cannot help: these have no names for it. The program's symbol table has them, and the
// runtime looks there, once for all names of an object.
//
// A place in data may be a variable that the patch changes later, and a patch may be enabled more
// than once. So such a place is written only while it has the value that the dynamic linker has
// left there, or the one that it got when the object was somewhere else.

#include "livepatch/bind.h"

#include "base/binary_search.h"
#include "base/eternal.h"
#include "base/log.h"
#include "base/mappings.h"
#include "base/sort.h"
#include "livepatch/klp_symbols.h"
#include "livepatch/patch_core.h"
#include "sites/build_id.h"
#include "sites/symbols.h"

#include <errno.h>
#include <string.h>

namespace nophook {
namespace {

// A place, and the symbols of its name.
struct Wanted {
  KlpPlace place;
  uint64_t hash;
  uint32_t seen;    // number of symbols of this name
  uint64_t address; // address of the symbol, or its offset in the thread's block
  uint8_t type;     // type of the symbol, STT_…
  int opened;       // rights of its page, if the page must be opened; else -1
};

// The position of an object when its symbols were bound, by its entry in the patch. If the patch's
// library is unloaded and another one has the entry's address, a fresh place still has the value
// that the dynamic linker has left there, so the record does no harm.
struct Bound {
  const klp_object *object;
  uint64_t bias;
};

Array<Bound> &bound() {
  static Eternal<Array<Bound>> bound;
  return *bound;
}

uint64_t hash_of(const char *name, uint64_t bytes) { // FNV-1a
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t i = 0; i < bytes; i++)
    hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
  return hash;
}

// The places of one object, by the hashes of their names.
struct Names {
  Array<Wanted> wanted;
  uint64_t bias;
};

void visit_definition(void *context, const char *name, const ElfW(Sym) & symbol) {
  auto *names = static_cast<Names *>(context);
  uint64_t bytes = 0;
  while (name[bytes] && name[bytes] != '@') // the symbol's version follows the `@`
    bytes++;
  const uint64_t hash = hash_of(name, bytes);
  const uint64_t first =
      lower_bound(names->wanted.size(), [&](uint64_t i) { return names->wanted[i].hash < hash; });
  for (uint64_t i = first; i < names->wanted.size() && names->wanted[i].hash == hash; i++) {
    Wanted &wanted = names->wanted[i];
    if (wanted.place.name_bytes != bytes || !equal_bytes(wanted.place.name, name, bytes))
      continue;
    wanted.seen++;
    if (wanted.place.position && wanted.seen != wanted.place.position)
      continue;
    wanted.type = ELF64_ST_TYPE(symbol.st_info);
    const bool is_relative = wanted.type != STT_TLS && symbol.st_shndx != SHN_ABS;
    wanted.address = symbol.st_value + (is_relative ? names->bias : 0);
  }
}

Status check(const Wanted &wanted) {
  if (!wanted.seen || wanted.seen < wanted.place.position)
    return failure(ENOENT, "the symbol table has no such name (is the file stripped?)");
  if (wanted.seen > 1 && !wanted.place.position)
    return failure(ENOENT, "several symbols have this name: its position must say which");
  if (wanted.type == STT_GNU_IFUNC)
    return failure(EINVAL, "the symbol is an ifunc, whose address is known to its callers only");
  const Relocated kind = wanted.place.kind;
  const bool is_of_thread = kind == Relocated::kThreadModule || kind == Relocated::kThreadOffset ||
                            kind == Relocated::kThreadStatic;
  if (is_of_thread != (wanted.type == STT_TLS))
    return failure(EINVAL, is_of_thread
                               ? "the variable is thread-local in the patch, but not in the file"
                               : "the variable is thread-local in the file, but not in the patch");
  return {};
}

// ---- Values

Status value_of(const Wanted &wanted, const LoadedObject &object, bool is_program,
                uint64_t *value) {
  *value = wanted.address;
  switch (wanted.place.kind) {
  case Relocated::kData:
  case Relocated::kThreadOffset:
    *value += wanted.place.addend;
    break;
  case Relocated::kThreadModule:
    *value = object.tls_module;
    break;
  case Relocated::kThreadStatic:
    // The blocks of libraries may be anywhere.
    if (!is_program || !object.tls_block)
      return failure(EINVAL, "the patch must be compiled with -ftls-model=global-dynamic");
    *value += wanted.place.addend + object.tls_block -
              reinterpret_cast<uint64_t>(__builtin_thread_pointer());
    break;
  default:
    break;
  }
  return {};
}

bool may_write(const Wanted &wanted, uint64_t value, const Bound *before, uint64_t bias) {
  if (wanted.place.kind != Relocated::kData)
    return true;
  uint64_t now;
  copy_bytes(&now, reinterpret_cast<const void *>(wanted.place.address), sizeof(now));
  return now == wanted.place.addend || (before && now == value - bias + before->bias);
}

// ---- Places

// Finds out which pages are read-only: the dynamic linker makes them so when it has relocated them.
Status look_at_rights(Wanted *wanted, Mappings *mappings) {
  Mapping mapping;
  const uint64_t address = wanted->place.address;
  const auto answer = mappings->find(address, &mapping);
  wanted->opened = -1;
  if (answer == Mappings::Answer::kUnknown)
    return {};
  if (answer == Mappings::Answer::kNone || address < mapping.start || mapping.prot & PROT_EXEC)
    return failure(EINVAL, "the patch is not compiled with -fPIC: its code would be changed");
  if (!(mapping.prot & PROT_WRITE))
    wanted->opened = mapping.prot;
  return {};
}

Status protect(const Wanted &wanted, int prot) {
  const uint64_t start = round_down(wanted.place.address, kPageBytes),
                 end = round_up(wanted.place.address + sizeof(uint64_t), kPageBytes);
  return sys_failed(sys(SYS_mprotect, start, end - start, prot))
             ? failure(EPERM, "a page of the patch cannot be made writable")
             : Status{};
}

Status write(const Wanted &wanted, uint64_t value) {
  if (wanted.opened >= 0)
    NOPHOOK_TRY(protect(wanted, wanted.opened | PROT_WRITE));
  // Aligned in nearly every library, and then one store for threads that may read it.
  auto *place = reinterpret_cast<uint64_t *>(wanted.place.address);
  if (wanted.place.address % sizeof(value) == 0)
    __atomic_store_n(place, value, __ATOMIC_RELAXED); // words that lead to it are published later
  else
    copy_bytes(place, &value, sizeof(value));
  if (wanted.opened >= 0)
    NOPHOOK_TRY(protect(wanted, wanted.opened));
  return {};
}

// ---- Objects

Status refuse_symbol(const nophook_klp *core, const Wanted &wanted, Status status) {
  const char *object = core->objects[wanted.place.object].object->name;
  Text<384> name;
  name.add(object ? object : "program").add(": ").add(wanted.place.name, wanted.place.name_bytes);
  return refuse(core, name.c_str(), status);
}

Status look_up(nophook_klp *core, const Module *module, Names *names) {
  sort(names->wanted.data(), names->wanted.size(),
       [](const Wanted &a, const Wanted &b) { return a.hash < b.hash; });
  const char *name = core->objects[names->wanted[0].place.object].object->name;
  names->bias = module->bias;
  bool is_full = false;
  Status read = visit_definitions(module, &is_full, visit_definition, names);
  if (!read.ok())
    return refuse(core, name ? name : "the program", failure(ENOENT, read.reason));
  Mappings mappings;
  for (Wanted &wanted : names->wanted) {
    Status status = check(wanted);
    if (status.ok() && wanted.place.position && !is_full)
      status =
          failure(ENOENT, "the file is stripped, so positions in its symbol table are unknown");
    if (status.ok())
      status = look_at_rights(&wanted, &mappings);
    if (!status.ok())
      return refuse_symbol(core, wanted, status);
  }
  return {};
}

Bound *bound_before(const klp_object *object) {
  for (Bound &one : bound())
    if (one.object == object)
      return &one;
  return nullptr;
}

Status write_all(nophook_klp *core, const klp_object *object, const Module *module,
                 const Names &names) {
  LoadedObject loaded = {};
  if (!find_loaded(module->start, &loaded))
    return failure(ENOENT, "the dynamic linker does not know the object");
  Bound *before = bound_before(object);
  for (const Wanted &wanted : names.wanted) {
    uint64_t value;
    Status status = value_of(wanted, loaded, !object->name, &value);
    if (status.ok() && may_write(wanted, value, before, module->bias))
      status = write(wanted, value);
    if (!status.ok())
      return refuse_symbol(core, wanted, status);
  }
  if (before)
    before->bias = module->bias;
  else if (!bound().push({object, module->bias}))
    return failure(ENOMEM, "no memory for the symbols of a patch");
  return {};
}

Status bind_object(nophook_klp *core, uint32_t object, const Array<KlpPlace> &places) {
  const klp_object *of = core->objects[object].object;
  const Module *module = module_of_object(of->name);
  Names names = {};
  for (const KlpPlace &place : places)
    if (place.object == object)
      if (!names.wanted.push({place, hash_of(place.name, place.name_bytes), 0, 0, 0, -1}))
        return failure(ENOMEM, "no memory for the symbols of a patch");
  if (!module || !names.wanted.size())
    return {};
  NOPHOOK_TRY(look_up(core, module, &names));
  return write_all(core, of, module, names);
}

} // namespace

Status check_build_id(const nophook_klp *core, const klp_object *object, const Module *module) {
  if (!object->build_id)
    return {};
  const BuildIdText running = build_id_text(module);
  const uint64_t bytes = text_length(object->build_id);
  if (is_text(object->build_id, bytes < running.capacity() ? bytes : running.capacity(),
              running.c_str()))
    return {};
  LogText line;
  line.add("livepatch: ").add(core->name.c_str()).add(": ");
  line.add(object->name ? object->name : "the program").add(": the patch is for build id ");
  line.add(object->build_id).add(", but ");
  if (running.size())
    line.add(running.c_str()).add(" is loaded");
  else
    line.add("the loaded file has none");
  log_line(line);
  return failure(EINVAL, "the patch is for another build of the file");
}

Status bind_symbols(nophook_klp *core, uint32_t object) {
  Array<KlpPlace> places;
  NOPHOOK_TRY(find_klp_places(core, &places));
  for (uint32_t i = 0; i < core->objects.size(); i++)
    if (object == kEachObject ? core->objects[i].is_loaded : i == object)
      NOPHOOK_TRY(bind_object(core, i, places));
  return {};
}

} // namespace nophook
