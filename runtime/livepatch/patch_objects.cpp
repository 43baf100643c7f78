// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that come and go while patches are enabled.

#include "base/lock.h"
#include "livepatch/bind.h"
#include "livepatch/patch.h"
#include "livepatch/patch_callbacks.h"
#include "livepatch/patch_core.h"
#include "livepatch/patch_moves.h"

namespace nophook {
namespace {

struct Concerned {
  nophook_klp *core;
  uint32_t object;
};

// Objects of enabled patches that are this module, from the oldest patch on. Called with the
// runtime's lock. False: there is no patch, no such module, or no memory.
bool find_concerned(const nophook_note *note, Array<Concerned> *found) {
  const Module *module = newest_patch() ? find_module(note) : nullptr;
  if (!module)
    return false;
  for (nophook_klp *core = newest_patch(); core; core = core->older)
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

// Takes a function in that no thread has called yet, so its new version holds at once.
Status take_in(nophook_klp *core, Dispatch *dispatch) {
  NOPHOOK_TRY(turn_on(dispatch, version_under(newest_patch(), dispatch, nullptr)));
  if (in_transition() && core == g_change.core)
    return join_transition(move_of(dispatch));
  NOPHOOK_TRY(reserve_plans(dispatch));
  const uint64_t entry = version_under(newest_patch(), dispatch, nullptr)->entry;
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

// Learns of a library, before callbacks and functions of the patch use it.
Status get_to_know(nophook_klp *core, uint32_t object, const nophook_note *note) {
  RuntimeLock lock;
  NOPHOOK_TRY(check_build_id(core, core->objects[object].object, find_module(note)));
  return bind_symbols(core, object);
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
  if (!newest_patch())
    return;
  Array<Concerned> concerned;
  {
    RuntimeLock lock;
    if (!find_concerned(note, &concerned))
      return;
    for (const Concerned &c : concerned)
      c.core->objects[c.object].is_loaded = true;
  }
  for (const Concerned &c : concerned) {
    PatchedObject &object = c.core->objects[c.object];
    Status status = get_to_know(c.core, c.object, note);
    if (status.ok()) {
      status = prepare(object);
      if (!status.ok())
        status = refuse(c.core, object.object->name, status);
    }
    if (status.ok()) {
      RuntimeLock lock;
      status = take_in_object(c.core, c.object, find_module(note));
      if (!status.ok())
        let_go(c.core, c.object);
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
  if (!newest_patch())
    return;
  Array<Concerned> concerned;
  {
    RuntimeLock lock;
    if (!find_concerned(note, &concerned))
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
