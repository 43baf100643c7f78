// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of modules, and queries of one. Modules are never removed from it: ids of a library that
// has been unloaded may still be in a trace.

#include "sites/module.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "sites/note.h"
#include "sites/side_file.h"

#include <nophook/args.h>

namespace nophook {

static Module *g_modules = nullptr;

void publish_module(Module *module) {
  module->next = g_modules;
  __atomic_store_n(&g_modules, module, __ATOMIC_RELEASE);
}

Module *first_module() {
  return __atomic_load_n(&g_modules, __ATOMIC_ACQUIRE);
}

Module *module_from(uint32_t id) {
  Module *next = nullptr;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count() && m->first_id >= id &&
        (!next || m->first_id < next->first_id))
      next = m;
  return next;
}

Module *find_module(const nophook_note *note) {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->note == note)
      return m;
  return nullptr;
}

bool in_text(const Module *module, uint64_t address, uint64_t bytes) {
  for (uint32_t i = 0; i < module->text_count; i++)
    if (address >= module->text[i].start && address + bytes <= module->text[i].end &&
        address + bytes > address)
      return true;
  return false;
}

void clear_call_targets(Module *module) {
  __atomic_store_n(&module->static_calls->on, uint64_t{0}, __ATOMIC_RELEASE);
  // Threads that have read `on` may still load a target.
  for (uint32_t i = 0; i < module->records.count(); i++)
    __atomic_store_n(&module->call_targets[i], uint64_t{0}, __ATOMIC_RELEASE);
  module->calls_on = 0;
}

void forget_module(Module *module) {
  module->loaded = false;
  unmap_pages(module->call_targets, module->records.count() * sizeof(uint64_t));
  module->call_targets = nullptr;
  module->records.release();
  drop_name_cache(&module->names);
  SideTables &side = module->side;
  unmap_pages(const_cast<struct nophook_args *>(side.args.begin),
              (uint64_t)(side.args.end - side.args.begin) * sizeof(struct nophook_args));
  unmap_pages(reinterpret_cast<void *>(side.prototypes.start),
              side.prototypes.stop - side.prototypes.start);
  side = {};
}

void abandon_module(const nophook_note *note) {
  if (Module *module = find_module(note))
    __atomic_store_n(&module->loaded, false, __ATOMIC_RELEASE);
}

static const SideTables &side_tables(Module *module) {
  if (!module->has_looked_aside) {
    module->has_looked_aside = true;
    module->side = read_side_tables(module);
  }
  return module->side;
}

ArgsRange module_args(Module *module) {
  if (!module->note)
    return module->side.args;
  uint64_t start = points_to(module->note->args_start);
  uint64_t stop = points_to(module->note->args_stop);
  if (start < stop && start >= module->start && stop <= module->end && start % 4 == 0 &&
      (stop - start) % sizeof(struct nophook_args) == 0)
    return {reinterpret_cast<const struct nophook_args *>(start),
            reinterpret_cast<const struct nophook_args *>(stop), 0};
  return side_tables(module).args;
}

TableBounds module_prototypes(Module *module) {
  if (module->prototypes.start)
    return module->prototypes;
  return side_tables(module).prototypes;
}

} // namespace nophook
