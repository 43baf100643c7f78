// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a patch to the moves of functions, and what follows when all threads have changed over.
//
// The callbacks of a patch are the program's code, so they run without the runtime's lock. While
// they do, `g_is_calling` keeps others from changing anything.

#include "livepatch/patch.h"

#include "base/eternal.h"
#include "base/lock.h"
#include "base/log.h"
#include "livepatch/driver.h"
#include "livepatch/versions.h"
#include "ops/ops.h"
#include "ops/redirect.h"
#include "sites/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

// A static program has none, and loads no library.
extern "C" __attribute__((weak)) void *dlopen(const char *, int);
extern "C" __attribute__((weak)) int dlclose(void *);

namespace nophook {
namespace {

nophook_klp *g_newest = nullptr;
uint32_t g_last_number = 0;
nophook_klp *g_changing = nullptr; // its transition begins, is under way, or ends
bool g_was_enabling = false;       // that transition, when it began: its side 1 has the patch
bool g_is_calling = false;         // callbacks of the patch that changes

Array<Move> &moves() {
  static Eternal<Array<Move>> moves;
  return *moves;
}

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

// ---- The runtime's half of a patch

void free_core(nophook_klp *core) {
  core->patch->core = nullptr;
  core->funcs.~Array();
  core->objects.~Array();
  unmap_pages(core, sizeof(nophook_klp));
}

void name_core(nophook_klp *core, const ObjectPath &path) {
  const char *file = path.size() ? path.c_str() : "program";
  const char *slash = strrchr(file, '/');
  file = slash ? slash + 1 : file;
  const char *so = strstr(file, ".so");
  core->name.add(file, so ? (size_t)(so - file) : text_length(file));
  uint64_t same = 1;
  PatchName wanted = core->name;
  for (bool is_taken = true; is_taken;) {
    is_taken = false;
    for (const nophook_klp *other = g_newest; other; other = other->older)
      is_taken |= is_text(other->name.c_str(), core->name.c_str());
    if (is_taken) {
      core->name = wanted;
      core->name.add("-").number(++same);
    }
  }
}

// Finds the bodies of an object's functions.
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
      return refuse(core, func.func->old_name, status);
    dispatch->original = original;
    func.dispatch = dispatch;
  }
  return {};
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
  core->objects[index].is_loaded = true;
  return resolve(core, index, module);
}

// A cumulative patch must know what it takes over; a newer version of it will do.
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
  if (!status.ok()) {
    free_core(core);
    return status;
  }
  *made = core;
  return {};
}

// ---- What functions do

const Version *version_in(const nophook_klp *core, const Dispatch *dispatch) {
  for (const PatchedFunc &func : core->funcs)
    if (func.dispatch == dispatch)
      return &func.version;
  return nullptr;
}

// What the function does under the enabled patches from `core` on, but without `left_out`.
const Version *version_under(const nophook_klp *core, const Dispatch *dispatch,
                             const nophook_klp *left_out) {
  for (; core; core = core->older)
    if (core != left_out)
      if (const Version *version = version_in(core, dispatch))
        return version;
  return &dispatch->original;
}

// With the patch that changes, and without. It is the newest, or about to be.
const Version *with(const nophook_klp *core, const Dispatch *dispatch) {
  if (const Version *version = version_in(core, dispatch))
    return version;
  return core->patch->replace ? &dispatch->original : version_under(core->older, dispatch, nullptr);
}

Move move_of(Dispatch *dispatch) {
  const Version *has = with(g_changing, dispatch),
                *has_not = version_under(g_newest, dispatch, g_changing);
  return g_was_enabling ? Move{dispatch, has_not, has} : Move{dispatch, has, has_not};
}

Status add_move(Dispatch *dispatch) {
  for (const Move &move : moves())
    if (move.dispatch == dispatch)
      return {};
  Move move = move_of(dispatch);
  if (move.from == move.to)
    return {};
  return moves().push(move) ? Status{} : failure(ENOMEM, "no memory for a transition");
}

Status find_moves() {
  moves().clear();
  for (PatchedFunc &func : g_changing->funcs)
    if (func.dispatch)
      NOPHOOK_TRY(add_move(func.dispatch));
  if (!g_changing->patch->replace)
    return {};
  for (nophook_klp *other = g_changing->older; other; other = other->older)
    for (PatchedFunc &func : other->funcs)
      if (func.dispatch)
        NOPHOOK_TRY(add_move(func.dispatch));
  return {};
}

// Makes the site lead to the stub, which leads behind the site.
Status turn_on(Dispatch *dispatch, const Version *followed) {
  if (dispatch->is_on)
    return follow_patched(dispatch->id, followed->named);
  NOPHOOK_TRY(reserve_plans(dispatch));
  const uint64_t entry = dispatch->original.entry;
  publish_plan(dispatch, nullptr, entry, entry);
  publish_word(dispatch, entry);
  NOPHOOK_TRY(add_patched(dispatch->module, dispatch->record(), dispatch->stub, followed->named));
  dispatch->is_on = true;
  return {};
}

// What tracers follow, and whether the site is needed, under the patches that are enabled now. An
// error leaves the site a jump, and the function as it is.
void settle(Dispatch *dispatch) {
  const Version *now = version_under(g_newest, dispatch, nullptr);
  if (!dispatch->is_on)
    return;
  Status status;
  if (now != &dispatch->original) {
    status = follow_patched(dispatch->id, now->named);
  } else if ((status = remove_patched(dispatch->id)).ok()) {
    dispatch->is_on = false;
  }
  if (!status.ok())
    log_line(
        LogText().add("livepatch: the site of a function cannot be changed: ").add(status.reason));
}

Status turn_moves_on() {
  for (const Move &move : moves()) {
    const Version *followed =
        g_was_enabling && move.to != &move.dispatch->original ? move.to : move.from;
    if (Status status = turn_on(move.dispatch, followed); !status.ok())
      return refuse(g_changing, name_of_function(move.dispatch->id).c_str(), status);
  }
  return {};
}

// ---- Callbacks

enum class When : uint8_t { kPostPatch, kPreUnpatch, kPostUnpatch };

void call(PatchedObject &object, When when) {
  const klp_callbacks &callbacks = object.object->callbacks;
  if (!object.is_loaded || !object.is_prepared)
    return;
  if (when == When::kPostUnpatch)
    object.is_prepared = false;
  auto *callback = when == When::kPostPatch    ? callbacks.post_patch
                   : when == When::kPreUnpatch ? callbacks.pre_unpatch
                                               : callbacks.post_unpatch;
  if (callback)
    callback(object.object);
}

void call_all(nophook_klp *core, When when) {
  for (PatchedObject &object : core->objects)
    call(object, when);
}

Status prepare(PatchedObject &object) {
  if (!object.is_loaded)
    return {};
  auto *callback = object.object->callbacks.pre_patch;
  int error = callback ? callback(object.object) : 0;
  if (error)
    return failure(error < 0 ? -error : error, "its pre_patch callback refuses");
  object.is_prepared = true;
  return {};
}

Status prepare_all(nophook_klp *core) {
  for (PatchedObject &object : core->objects)
    if (Status status = prepare(object); !status.ok()) {
      call_all(core, When::kPostUnpatch);
      return refuse(core, object.object->name, status);
    }
  return {};
}

// ---- Beginnings and ends

bool is_listed(const nophook_klp *core) {
  const nophook_klp *at = g_newest;
  while (at && at != core)
    at = at->older;
  return at;
}

void unlist(nophook_klp *core) {
  for (nophook_klp **at = &g_newest; *at; at = &(*at)->older)
    if (*at == core) {
      *at = core->older;
      return;
    }
}

// The patch is not enabled any more; its functions do what the others say.
void drop(nophook_klp *core) {
  unlist(core);
  for (PatchedFunc &func : core->funcs)
    if (func.dispatch)
      settle(func.dispatch);
  free_core(core);
}

void forget_changing() {
  g_changing = nullptr;
  g_is_calling = false;
}

Status begin_change(bool enabling) {
  g_was_enabling = enabling;
  NOPHOOK_TRY(find_moves());
  NOPHOOK_TRY(turn_moves_on());
  return begin_transition(moves());
}

// With the lock; the words have their values.
void finish_change() {
  nophook_klp *core = g_changing;
  if (core->is_enabled) {
    while (core->patch->replace && core->older)
      drop(core->older);
    for (PatchedFunc &func : core->funcs)
      if (func.dispatch)
        settle(func.dispatch);
    report(core, "patching complete");
  } else {
    report(core, "unpatching complete");
    drop(core);
  }
  forget_changing();
}

// Without the lock.
void end_change() {
  call_all(g_changing, g_changing->is_enabled ? When::kPostPatch : When::kPostUnpatch);
  RuntimeLock lock;
  finish_change();
}

void after_fork(bool) {
  transition_after_fork();
  driver_after_fork();
  if (!g_is_calling)
    return;
  // The thread that was in the callbacks is not here.
  if (is_listed(g_changing) && !in_transition())
    finish_change();
  else if (!is_listed(g_changing))
    free_core(g_changing), forget_changing();
}

// The library of an enabled patch, and of one that was enabled, is never unloaded: a thread may be
// anywhere in it.
void keep_loaded(const ObjectPath &path) {
  if (!path.size() || !dlopen)
    return;
  if (void *library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
    dlclose(library);
}

Status turn_round(nophook_klp *core, bool enabled) {
  core->is_enabled = enabled;
  reverse_transition();
  report(core, enabled ? "turning round: patching" : "turning round: unpatching");
  return {};
}

Status admit(klp_patch *patch, const ObjectPath &path) {
  if (g_changing)
    return failure(EBUSY, "the transition of another patch is under way");
  if (!at_fork_child(after_fork))
    return failure(ENOMEM, "no memory for the handlers of fork");
  NOPHOOK_TRY(adopt_modules());
  NOPHOOK_TRY(make_core(patch, path, &g_changing));
  g_is_calling = true;
  return {};
}

Status begin_enabling() {
  nophook_klp *core = g_changing;
  core->older = g_newest;
  Status status = begin_change(true);
  if (!status.ok()) {
    for (const Move &move : moves())
      settle(move.dispatch);
    return status;
  }
  core->is_enabled = true;
  __atomic_store_n(&g_newest, core, __ATOMIC_RELAXED);
  g_is_calling = false;
  report(core, "starting patching transition");
  return {};
}

// With the lock. `*turned`: that was all; else begin_disabling() follows, without the lock.
Status admit_disabling(nophook_klp *core, bool *turned) {
  if (!core->is_enabled)
    return failure(EINVAL, "the patch is not enabled");
  if (g_changing && (g_changing != core || g_is_calling))
    return failure(EBUSY, "the transition of a patch is under way");
  *turned = g_changing == core;
  if (*turned)
    return turn_round(core, false);
  if (core != g_newest)
    return failure(EBUSY, "a newer patch is enabled");
  g_changing = core;
  g_is_calling = true;
  return {};
}

Status begin_disabling() {
  nophook_klp *core = g_changing;
  call_all(core, When::kPreUnpatch);
  RuntimeLock lock;
  Status status = begin_change(false);
  g_is_calling = false;
  if (!status.ok()) {
    g_changing = nullptr;
    return status;
  }
  core->is_enabled = false;
  report(core, "starting unpatching transition");
  return {};
}

// With the lock.
Status turn_on_again(nophook_klp *core) {
  if (core != g_changing || core->is_enabled)
    return failure(EINVAL, "the patch is enabled");
  if (g_is_calling)
    return failure(EBUSY, "callbacks of the patch are running");
  return turn_round(core, true);
}

// With the lock; end_change() follows, without it.
Status force_changing(nophook_klp *core) {
  if (!core || core != g_changing || g_is_calling || !in_transition())
    return failure(EINVAL, "the patch is in no transition");
  NOPHOOK_TRY(force_transition());
  core->is_forced = true;
  g_is_calling = true;
  report(core, "the transition is forced: threads may run old and new versions at the same time");
  return {};
}

nophook_klp *patch_of_number(uint32_t number) {
  nophook_klp *core = g_newest;
  while (core && core->number != number)
    core = core->older;
  return core;
}

constexpr Status kGone = {ENODEV, "the patch is not enabled any more"};

} // namespace

nophook_klp *newest_patch() {
  return g_newest;
}

bool is_in_transition(const nophook_klp *core) {
  return core && core == g_changing;
}

Status enable_patch(klp_patch *patch) {
  if (!patch || !patch->objs)
    return failure(EINVAL, "a patch needs a list of objects");
  ObjectPath path;
  uint64_t bias;
  find_object(reinterpret_cast<uint64_t>(patch), &path, &bias);
  keep_loaded(path);
  bool turned = false;
  {
    RuntimeLock lock;
    if (nophook_klp *core = patch->core) {
      NOPHOOK_TRY(turn_on_again(core));
      turned = true;
    } else {
      NOPHOOK_TRY(admit(patch, path));
    }
  }
  if (!turned) {
    nophook_klp *core = patch->core;
    Status status = prepare_all(core);
    bool is_prepared = status.ok();
    if (is_prepared) {
      RuntimeLock lock;
      status = begin_enabling();
    }
    if (is_prepared && !status.ok())
      call_all(core, When::kPostUnpatch);
    if (!status.ok()) {
      RuntimeLock lock;
      free_core(core);
      forget_changing();
      return status;
    }
  }
  ensure_driver();
  return {};
}

Status disable_patch(klp_patch *patch) {
  bool turned = false;
  {
    RuntimeLock lock;
    if (!patch || !patch->core)
      return failure(EINVAL, "the patch is not enabled");
    NOPHOOK_TRY(admit_disabling(patch->core, &turned));
  }
  if (!turned)
    NOPHOOK_TRY(begin_disabling());
  ensure_driver();
  return {};
}

Status force_patch(klp_patch *patch) {
  {
    RuntimeLock lock;
    NOPHOOK_TRY(force_changing(patch ? patch->core : nullptr));
  }
  end_change();
  return {};
}

Status switch_patch(uint32_t number, bool enabled) {
  bool turned = true;
  {
    RuntimeLock lock;
    nophook_klp *core = patch_of_number(number);
    if (!core)
      return kGone;
    NOPHOOK_TRY(enabled ? turn_on_again(core) : admit_disabling(core, &turned));
  }
  if (!turned)
    NOPHOOK_TRY(begin_disabling());
  ensure_driver();
  return {};
}

Status force_patch(uint32_t number) {
  {
    RuntimeLock lock;
    nophook_klp *core = patch_of_number(number);
    NOPHOOK_TRY(core ? force_changing(core) : kGone);
  }
  end_change();
  return {};
}

bool drive_transition() {
  {
    RuntimeLock lock;
    if (!in_transition())
      return false;
    if (!look_at_threads())
      return true;
    g_is_calling = true;
  }
  end_change();
  return false;
}

// ---- Libraries

namespace {

struct Concerned {
  nophook_klp *core;
  uint32_t object;
};

// Objects of enabled patches that are this module, from the oldest patch on.
bool find_concerned(const Module *module, Array<Concerned> *found) {
  for (nophook_klp *core = g_newest; core; core = core->older)
    for (uint32_t i = 0; i < core->objects.size(); i++)
      if (core->objects[i].object->name &&
          module_of_object(core->objects[i].object->name) == module)
        if (!found->push({core, i}))
          return false;
  for (uint64_t i = 0, n = found->size(); i < n / 2; i++) {
    Concerned other = (*found)[i];
    (*found)[i] = (*found)[n - 1 - i];
    (*found)[n - 1 - i] = other;
  }
  return true;
}

// No thread has called it yet, so what it does now holds at once.
Status take_in(nophook_klp *core, Dispatch *dispatch) {
  NOPHOOK_TRY(turn_on(dispatch, version_under(g_newest, dispatch, nullptr)));
  if (in_transition() && core == g_changing)
    return join_transition(move_of(dispatch));
  NOPHOOK_TRY(reserve_plans(dispatch));
  const uint64_t entry = version_under(g_newest, dispatch, nullptr)->entry;
  publish_plan(dispatch, nullptr, entry, entry);
  publish_word(dispatch, entry);
  return {};
}

Status take_in_object(nophook_klp *core, uint32_t object, Module *module) {
  NOPHOOK_TRY(resolve(core, object, module));
  for (PatchedFunc &func : core->funcs)
    if (func.object == object)
      if (Status status = take_in(core, func.dispatch); !status.ok())
        return refuse(core, func.func->old_name, status);
  return {};
}

void let_go(nophook_klp *core, uint32_t object) {
  for (PatchedFunc &func : core->funcs)
    if (func.object == object && func.dispatch) {
      leave_transition(func.dispatch);
      func.dispatch->is_on = false; // release_module() ends the redirection
      func.dispatch = nullptr;
    }
  core->objects[object].is_loaded = false;
}

} // namespace

void object_comes(const nophook_note *note) {
  if (!__atomic_load_n(&g_newest, __ATOMIC_RELAXED)) // the lock orders what follows
    return;
  Array<Concerned> concerned;
  {
    RuntimeLock lock;
    Module *module = g_newest ? find_module(note) : nullptr;
    if (!module || !find_concerned(module, &concerned))
      return;
    for (const Concerned &c : concerned)
      c.core->objects[c.object].is_loaded = true;
  }
  for (const Concerned &c : concerned) {
    PatchedObject &object = c.core->objects[c.object];
    Status status = prepare(object);
    if (status.ok()) {
      RuntimeLock lock;
      status = take_in_object(c.core, c.object, find_module(note));
      if (!status.ok())
        let_go(c.core, c.object);
    } else {
      status = refuse(c.core, object.object->name, status);
    }
    if (!status.ok()) {
      object.is_loaded = true;
      call(object, When::kPostUnpatch);
      object.is_loaded = false;
    } else if (!is_in_transition(c.core)) {
      call(object, When::kPostPatch);
    }
  }
}

void object_goes(const nophook_note *note) {
  if (!__atomic_load_n(&g_newest, __ATOMIC_RELAXED))
    return;
  Array<Concerned> concerned;
  {
    RuntimeLock lock;
    Module *module = g_newest ? find_module(note) : nullptr;
    if (!module || !find_concerned(module, &concerned))
      return;
  }
  for (uint64_t i = concerned.size(); i-- > 0;) {
    const Concerned &c = concerned[i];
    PatchedObject &object = c.core->objects[c.object];
    if (!object.is_loaded)
      continue;
    if (!is_in_transition(c.core))
      call(object, When::kPreUnpatch);
    {
      RuntimeLock lock;
      let_go(c.core, c.object);
    }
    object.is_loaded = true;
    call(object, When::kPostUnpatch);
    object.is_loaded = false;
  }
}

} // namespace nophook
