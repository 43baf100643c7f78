// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the callbacks of an object, or of all objects of a patch, in the kernel's order.

#include "livepatch/patch_callbacks.h"

#include "livepatch/patch_core.h"

namespace nophook {

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

} // namespace nophook
