// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enabled patches, and the fate of functions when that set changes.

#pragma once

#include <livepatch.h>

#include "base/bytes.h"
#include "livepatch/transition.h"

#include <nophook/site.h>

namespace nophook {

// A function of a patch.
struct PatchedFunc {
  const klp_func *func;
  uint32_t object;    // index in the patch's list
  Dispatch *dispatch; // null: its object is not loaded
  Version version;
};

struct PatchedObject {
  klp_object *object;
  bool is_loaded;
  bool is_prepared; // whether pre_patch() has returned 0
};

using PatchName = Text<128>;

} // namespace nophook

// The runtime's half of a patch.
struct nophook_klp {
  nophook_klp *older; // the next older enabled patch
  uint32_t number;    // number that no other patch of the process has had
  klp_patch *patch;
  nophook::PatchName name; // name of the library that it lies in
  nophook::Array<nophook::PatchedFunc> funcs;
  nophook::Array<nophook::PatchedObject> objects;
  bool is_enabled; // whether it is enabled, or is to be
  bool is_forced;  // whether a transition of it has been forced
};

namespace nophook {

// The functions of include/livepatch.h, which take no lock before they call these.
Status enable_patch(klp_patch *patch);
Status disable_patch(klp_patch *patch);
Status force_patch(klp_patch *patch);

// The same for the enabled patch with this number. Errors: ENODEV if there is none, EINVAL if it is
// in that state already. A patch can be turned on only while its transition lasts.
Status switch_patch(uint32_t number, bool enabled);
Status force_patch(uint32_t number);

// Under the lock: the newest enabled patch, and whether this one's transition is under way.
nophook_klp *newest_patch();
bool is_in_transition(const nophook_klp *core);

// Called when a library with sites has come, and before it goes, without the lock.
void object_comes(const nophook_note *note);
void object_goes(const nophook_note *note);

} // namespace nophook
