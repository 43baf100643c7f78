// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the call slots of modules, and leads them through stubs. The loader's lock is held while
// its tables are read: an object that it lists cannot go. Nothing in here asks the loader a
// question that takes another lock (dlsym would: a thread that loads a library holds that lock and
// waits for the runtime's).

#include "calls/calls.h"

#include "arch/arch.h"
#include "base/eternal.h"
#include "base/log.h"
#include "calls/import_table.h"
#include "calls/loaded_objects.h"
#include "calls/slot_list.h"
#include "calls/slot_uses.h"
#include "calls/slots.h"
#include "calls/stubs.h"
#include "sites/note.h"
#include "sites/symbols.h"

#include <errno.h>

#include <nophook/got_uses.h>

namespace nophook {
namespace {

bool g_is_on = false;
CallCounts g_counts = {};

// Slots that lead to stubs.
SlotList &taken_slots() {
  static Eternal<SlotList> slots;
  return *slots;
}

// Slots that also stand for addresses: code does not change, so it is read once.
SlotList &address_slots() {
  static Eternal<SlotList> slots;
  return *slots;
}

// Whether the function at `address` has a site of its own: it is another instrumented module's.
bool has_site_itself(uint64_t address) {
  uint32_t index;
  for (const Module *m = first_module(); m; m = m->next)
    if (m->loaded && !m->calls && in_text(m, address, Arch::kLandingPadBytes + Arch::kSiteBytes))
      return find_record(m, address, 0, &index);
  return false;
}

// A call slot of a module.
struct Slot {
  uint64_t address, value;
  const char *name, *version;
  uint64_t target;
  bool is_got; // whether it may also stand for the address: GLOB_DAT
};

// The reasons why slots of a module are left alone.
struct LeftAlone {
  uint64_t unresolved = 0, unknown = 0, closed = 0, taken = 0, not_proved = 0;
};

class ModuleCalls {
public:
  ModuleCalls(Module *module, const LoadedObject &object, const LoadedObjects &objects)
      : module_(module), object_(object), objects_(objects) {}

  Status run(Discovery *found);

private:
  Status read_slots(uint64_t table, uint64_t bytes, bool is_got);
  void resolve(bool may_guess);
  Status exclude_addresses(const ImportTable &imports);
  bool agrees() const;
  Status store(const ImportTable &imports, Discovery *found);
  void report() const;

  // Whether the slot is not resolved yet: it leads into the module's own PLT.
  bool is_lazy(const Slot &slot) const { return !slot.is_got && object_.holds(slot.value, 1); }
  bool is_defined_in(const LoadedObject &library, const Slot &slot) const;
  bool define(const Slot &slot, uint64_t *target) const {
    return objects_.define(object_, slot.name, slot.version, target);
  }

  Module *module_;
  const LoadedObject &object_;
  const LoadedObjects &objects_;
  SlotAccess access_;
  Array<Slot> slots_;
  LeftAlone left_;
};

// Reads the relocations of functions that the module does not define, each once. Some linkers let
// DT_RELA include the table of DT_JMPREL.
Status ModuleCalls::read_slots(uint64_t table, uint64_t bytes, bool is_got) {
  if (!object_.holds(table, bytes))
    return {};
  const auto *relocation = reinterpret_cast<const ElfW(Rela) *>(table);
  for (uint64_t left = bytes / sizeof *relocation; left; left--, relocation++) {
    if (Arch::relocated(ELF64_R_TYPE(relocation->r_info)) != Relocated::kAddress)
      continue;
    if (is_got &&
        reinterpret_cast<uint64_t>(relocation) - object_.plt_relocations < object_.plt_bytes)
      break;
    const ElfW(Sym) *symbol = symbol_at(object_, ELF64_R_SYM(relocation->r_info));
    const unsigned type = symbol ? ELF64_ST_TYPE(symbol->st_info) : STT_NOTYPE;
    if (is_got && type != STT_FUNC && type != STT_GNU_IFUNC)
      continue;
    const char *name = symbol ? string_at(object_, symbol->st_name) : nullptr;
    const uint64_t address = object_.bias + relocation->r_offset;
    if (!name || !*name || symbol->st_shndx != SHN_UNDEF || address % sizeof(uint64_t) ||
        !object_.holds(address, sizeof(uint64_t)) || !access_.can_read(address))
      continue;
    const uint64_t value =
        __atomic_load_n(reinterpret_cast<const uint64_t *>(address), __ATOMIC_ACQUIRE);
    if (!value || target_of_stub(value))
      continue;
    const char *version = needed_version(object_, ELF64_R_SYM(relocation->r_info));
    if (!slots_.push({address, value, name, version, 0, is_got}))
      return failure(ENOMEM, "no memory for calls into libraries");
  }
  return {};
}

// Whether this lookup finds what the dynamic linker has found for the slots that it has resolved.
// If not, someone changes what it finds, and no slot is resolved here.
bool ModuleCalls::agrees() const {
  for (const Slot &slot : slots_) {
    uint64_t target = 0;
    if (!slot.is_got && !is_lazy(slot) && define(slot, &target) && target != slot.value)
      return false;
  }
  return true;
}

// For an address the dynamic linker also takes the PLT entry of a program at a fixed address, whose
// call slot then leads on.
bool ModuleCalls::is_defined_in(const LoadedObject &library, const Slot &slot) const {
  const ElfW(Sym) *symbol = nullptr;
  return look_up(library, slot.name, slot.version, &symbol) == Lookup::kFound &&
         (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ||
          library.bias + symbol->st_value == slot.value);
}

void ModuleCalls::resolve(bool may_guess) {
  const LoadedObject *runtime = objects_.around(reinterpret_cast<uint64_t>(&g_is_on));
  for (Slot &slot : slots_) {
    slot.target = slot.value;
    if (is_lazy(slot) && !(may_guess && define(slot, &slot.target))) {
      slot.target = 0;
      left_.unresolved++;
      continue;
    }
    const LoadedObject *library = objects_.around(slot.target);
    if (library && (library == runtime || has_site_itself(slot.target))) {
      // A function of the API, which programs call by intention, or one that is traced by its own
      // site.
      slot.target = 0;
    } else if (!library || !library->symbols) {
      slot.target = 0;
      left_.unknown++;
    } else if (slot.is_got && (library == &object_ || !is_defined_in(*library, slot))) {
      slot.target = 0;
      left_.unknown++;
    }
  }
}

// Slots of the GOT stay as they are if they also stand for the functions' addresses.
Status ModuleCalls::exclude_addresses(const ImportTable &imports) {
  Array<uint64_t> asked; // addresses that only the code can decide
  for (Slot &slot : slots_) {
    if (!slot.is_got || !slot.target)
      continue;
    if (imports.flags_of(slot.name) & NOPHOOK_IMPORT_ADDRESS_TAKEN) {
      slot.target = 0;
      left_.taken++;
    } else if (address_slots().holds(slot.address)) {
      slot.target = 0;
      left_.not_proved++;
    } else if (!asked.push(slot.address)) {
      return failure(ENOMEM, "no memory for calls into libraries");
    }
  }
  sort_slots(asked);
  SlotUses uses;
  NOPHOOK_TRY(uses.read(module_, asked));
  if (!address_slots().reserve(asked.size()))
    return failure(ENOMEM, "no memory for calls into libraries");
  for (Slot &slot : slots_)
    if (slot.is_got && slot.target &&
        nophook_got_answer_of(uses.of(slot.address), imports.flags_of(slot.name)) !=
            NOPHOOK_GOT_FOR_CALLS) {
      slot.target = 0;
      left_.not_proved++;
      address_slots().append(slot.address);
    }
  address_slots().sort();
  return {};
}

Status ModuleCalls::store(const ImportTable &imports, Discovery *found) {
  Array<Callee> callees;
  Array<uint64_t> of; // the slot of each callee
  for (uint64_t i = 0; i < slots_.size(); i++) {
    const Slot &slot = slots_[i];
    if (!slot.target)
      continue;
    const char *library = objects_.around(slot.target)->path;
    if (!callees.push({slot.name, library, slot.target, imports.kind_of(slot.name), 0}) ||
        !of.push(i))
      return failure(ENOMEM, "no memory for calls into libraries");
  }
  uint32_t modules = 0;
  uint64_t records = 0;
  Status status = make_stubs_of(module_, callees, &modules, &records);
  found->modules += modules;
  found->records += records;
  found->pages += (records + kRecordsPerPage - 1) / kRecordsPerPage;
  NOPHOOK_TRY(status);
  if (!taken_slots().reserve(callees.size()))
    return failure(ENOMEM, "no memory for calls into libraries");
  const uint64_t lost = g_counts.lost;
  for (uint64_t i = 0; i < callees.size(); i++) {
    const Slot &slot = slots_[of[i]];
    bool is_stored = callees[i].stub && access_.exchange(slot.address, slot.value, callees[i].stub);
    if (!is_stored && callees[i].stub && is_lazy(slot)) // another thread has resolved it just now
      is_stored = access_.exchange(slot.address, slot.target, callees[i].stub);
    if (!is_stored) {
      left_.closed++;
      continue;
    }
    if (taken_slots().holds(slot.address))
      g_counts.lost++;
    else
      taken_slots().append(slot.address);
  }
  taken_slots().sort();
  LogText line;
  if (g_counts.lost != lost)
    log_line(line.add(module_->path)
                 .add(": ")
                 .number(g_counts.lost - lost)
                 .add(" slots were overwritten since calls were taken, and are set again"));
  return {};
}

void ModuleCalls::report() const {
  auto say = [this](uint64_t count, const char *why) {
    LogText line;
    if (count)
      log_line(line.add(module_->path).add(": ").number(count).add(why));
  };
  say(left_.unresolved, " functions of libraries have not been called yet, and where they are is "
                        "not certain: calls of them are not traced");
  say(left_.unknown, " functions are in no library: calls of them are not traced");
  say(left_.taken, " functions have their address taken by the program: calls of them through the "
                   "same slots are not traced (nophook list --calls)");
  say(left_.not_proved, " functions may have their address taken by code without records: calls of "
                        "them through the same slots are not traced (nophook list --calls)");
  say(left_.closed, " slots cannot be written: calls through them are not traced");
}

Status ModuleCalls::run(Discovery *found) {
  NOPHOOK_TRY(read_slots(object_.plt_relocations, object_.plt_bytes, /*is_got=*/false));
  NOPHOOK_TRY(read_slots(object_.relocations, object_.relocation_bytes, /*is_got=*/true));
  if (slots_.empty())
    return {};
  resolve(!objects_.is_audited() && agrees());
  ImportTable imports;
  NOPHOOK_TRY(imports.read(module_));
  NOPHOOK_TRY(exclude_addresses(imports));
  Status status = store(imports, found);
  report();
  return status;
}

struct Pass {
  Discovery *found;
  Status status;
};

Status take_module(const dl_phdr_info *info, Module *module, Discovery *found) {
  const uint64_t runtime = reinterpret_cast<uint64_t>(&g_is_on);
  if (runtime >= module->start && runtime < module->end) {
    LogText line;
    log_line(line.add(module->path)
                 .add(": calls into libraries are not traced: the runtime is linked into it, and "
                      "calls through the same slots"));
    return {};
  }
  LoadedObjects objects;
  NOPHOOK_TRY(objects.read());
  const LoadedObject *object = objects.of(info);
  const bool is_static = !object || !object->symbols;
  return is_static ? Status{} : ModuleCalls(module, *object, objects).run(found);
}

int visit_module(dl_phdr_info *info, size_t, void *data) {
  auto &pass = *static_cast<Pass *>(data);
  const NoteSearch found = search_notes(info);
  Module *module = found.note ? find_module(found.note) : nullptr;
  if (!module || !module->records.count())
    return 0;
  pass.status = take_module(info, module, pass.found);
  return pass.status.ok() ? 0 : 1;
}

void give_back() {
  SlotAccess access;
  uint64_t refused = 0;
  for (uint64_t slot : taken_slots()) {
    if (!access.can_read(slot))
      continue;
    const uint64_t stub =
        __atomic_load_n(reinterpret_cast<const uint64_t *>(slot), __ATOMIC_ACQUIRE);
    const uint64_t target = target_of_stub(stub);
    refused += target && !access.exchange(slot, stub, target);
  }
  taken_slots().clear();
  LogText line;
  if (refused)
    log_line(line.number(refused).add(" slots still lead through stubs: they cannot be written"));
}

} // namespace

bool calls_are_traced() {
  return g_is_on;
}

void trace_calls(bool on) {
  if (g_is_on && !on)
    give_back();
  g_is_on = on;
}

Status take_calls(Discovery *found) {
  if (!g_is_on)
    return {};
  Pass pass = {found, {}};
  dl_iterate_phdr(visit_module, &pass);
  return pass.status;
}

void forget_calls(const Module *module) {
  forget_types_of(module);
  taken_slots().forget(module);
  address_slots().forget(module);
}

CallCounts call_counts() {
  g_counts.slots = taken_slots().size();
  return g_counts;
}

} // namespace nophook
