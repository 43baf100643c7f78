// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves the functions of a patch, and refuses patches that do not fit the program or each other.

#include "livepatch/patch_core.h"

#include "base/log.h"
#include "livepatch/bind.h"
#include "livepatch/patch_libraries.h"

#include <errno.h>
#include <string.h>

namespace nophook {
namespace {

nophook_klp *g_newest = nullptr;
uint32_t g_last_number = 0;

void name_core(nophook_klp *core, const ObjectPath &path) {
  const char *file = path.size() ? path.c_str() : "program";
  const char *slash = strrchr(file, '/');
  file = slash ? slash + 1 : file;
  const char *so = strstr(file, ".so");
  core->name.add(file, so ? (size_t)(so - file) : text_length(file));
  uint64_t same = 1;
  PatchName wanted = core->name;
  for (bool is_taken = true; is_taken;) {
    is_taken = is_name_taken(core->name.c_str(), core->patch);
    for (const nophook_klp *other = g_newest; other; other = other->older)
      is_taken |= is_text(other->name.c_str(), core->name.c_str());
    if (is_taken) {
      core->name = wanted;
      core->name.add("-").number(++same);
    }
  }
}

Status add_func(nophook_klp *core, const klp_func *func, uint32_t object) {
  if (!func->old_name || !func->new_func)
    return refuse(core, func->old_name,
                  failure(EINVAL, "a function needs its old name and its new version"));
  PatchedFunc added = {func, object, nullptr, {}};
  if (!core->funcs.push(added))
    return failure(ENOMEM, "no memory for a patch");
  Status status = find_replacement(reinterpret_cast<uint64_t>(func->new_func),
                                   &core->funcs[core->funcs.size() - 1].version);
  return status.ok() ? status : refuse(core, func->old_name, status);
}

Status add_object(nophook_klp *core, klp_object *object) {
  const auto index = (uint32_t)core->objects.size();
  for (const PatchedObject &other : core->objects)
    if (object->name ? other.object->name && is_text(object->name, other.object->name)
                     : !other.object->name)
      return refuse(core, object->name, failure(EINVAL, "the patch has this object twice"));
  if (!core->objects.push({object, false, false}))
    return failure(ENOMEM, "no memory for a patch");
  for (const klp_func *func = object->funcs; func->old_name || func->new_func; func++)
    NOPHOOK_TRY(add_func(core, func, index));
  Module *module = module_of_object(object->name);
  if (!module) {
    if (!object->name || object_is_loaded(object->name))
      return refuse(core, object->name ? object->name : "the program",
                    failure(ENOENT, "it has no sites: it is not compiled for Nophook"));
    return {};
  }
  NOPHOOK_TRY(check_build_id(core, object, module));
  core->objects[index].is_loaded = true;
  return resolve(core, index, module);
}

// Checks that a cumulative patch knows the states that it takes over; a newer version of a state is
// enough.
Status check_states(const nophook_klp *core) {
  for (const nophook_klp *other = g_newest; other; other = other->older)
    for (klp_state *state = other->patch->states; state && state->id; state++) {
      const klp_state *mine = klp_get_state(core->patch, state->id);
      if (mine ? mine->version < state->version : core->patch->replace)
        return refuse(core, nullptr,
                      failure(EINVAL, "it is not compatible with a state of an enabled patch"));
    }
  return {};
}

} // namespace

Status refuse(const nophook_klp *core, const char *what, Status status) {
  LogText line;
  line.add("livepatch: ").add(core->name.c_str());
  if (what)
    line.add(": ").add(what);
  log_line(line.add(": ").add(status.reason));
  return status;
}

void report(const nophook_klp *core, const char *what) {
  LogText line;
  log_info(line.add("livepatch: '").add(core->name.c_str()).add("': ").add(what));
}

void free_core(nophook_klp *core) {
  core->patch->core = nullptr;
  core->funcs.~Array();
  core->objects.~Array();
  unmap_pages(core, sizeof(nophook_klp));
}

// Warns of clones: a hand-written patch may not know what the compiler has done to the program.
static void report_clone(const nophook_klp *core, const Module *module, const char *name) {
  const FunctionName clone = find_clone(module, name);
  if (!clone.size())
    return;
  LogText line;
  line.add("livepatch: '").add(core->name.c_str()).add("': ").add(name).add(": callers of ");
  log_line(line.add(clone.c_str()).add(", which the compiler has made of it, run the old code"));
}

// Refuses a function of which only a clone is left (gcc's isra): its parameters are not those of
// the source.
static Status refuse_function(const nophook_klp *core, const Module *module, const char *name,
                              Status status) {
  const FunctionName clone = status.error == ENOENT ? find_clone(module, name) : FunctionName();
  LogText what;
  what.add(name);
  if (clone.size())
    what.add(": the compiler has made ").add(clone.c_str()).add(" of it");
  return refuse(core, what.c_str(), status);
}

Status resolve(nophook_klp *core, uint32_t object, Module *module) {
  for (PatchedFunc &func : core->funcs) {
    if (func.object != object)
      continue;
    Version original = {};
    uint32_t index = 0;
    Dispatch *dispatch = nullptr;
    Status status =
        find_original(module, func.func->old_name, func.func->old_sympos, &index, &original);
    if (status.ok())
      status = dispatch_of(module, index, &dispatch);
    for (const PatchedFunc &other : core->funcs)
      if (status.ok() && other.dispatch == dispatch)
        status = failure(EINVAL, "the patch has it twice");
    if (!status.ok())
      return refuse_function(core, module, func.func->old_name, status);
    report_clone(core, module, func.func->old_name);
    dispatch->original = original;
    func.dispatch = dispatch;
  }
  return {};
}

Status make_core(klp_patch *patch, const ObjectPath &path, nophook_klp **made) {
  auto *core = static_cast<nophook_klp *>(map_pages(sizeof(nophook_klp)));
  if (!core)
    return failure(ENOMEM, "no memory for a patch");
  core->patch = patch;
  core->number = ++g_last_number;
  patch->core = core;
  name_core(core, path);
  Status status = check_states(core);
  for (klp_object *object = patch->objs; status.ok() && object->funcs; object++)
    status = add_object(core, object);
  if (status.ok())
    status = bind_symbols(core, kEachObject);
  if (!status.ok()) {
    free_core(core);
    return status;
  }
  *made = core;
  return {};
}

nophook_klp *newest_patch() {
  return __atomic_load_n(&g_newest, __ATOMIC_RELAXED); // the lock orders later accesses
}

void list_core(nophook_klp *core) {
  __atomic_store_n(&g_newest, core, __ATOMIC_RELAXED);
}

bool is_listed(const nophook_klp *core) {
  const nophook_klp *at = g_newest;
  while (at && at != core)
    at = at->older;
  return at;
}

void unlist(nophook_klp *core) {
  for (nophook_klp **at = &g_newest; *at; at = &(*at)->older)
    if (*at == core) {
      __atomic_store_n(at, core->older, __ATOMIC_RELAXED);
      return;
    }
}

nophook_klp *patch_of_number(uint32_t number) {
  nophook_klp *core = g_newest;
  while (core && core->number != number)
    core = core->older;
  return core;
}

} // namespace nophook
