// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The callbacks of a patch. They are the program's code: they run without the runtime's lock, and
// nothing else changes in the meantime.

#pragma once

#include "livepatch/patch.h"

namespace nophook {

enum class When : uint8_t { kPostPatch, kPreUnpatch, kPostUnpatch };

// Calls one callback of an object that is loaded, and of all objects of a patch. An object whose
// pre_patch() has not returned 0 is skipped.
void call(PatchedObject &object, When when);
void call_all(nophook_klp *core, When when);

// Calls pre_patch(). Where one of prepare_all() refuses, those before it are undone, and the log
// reports it. Errors: what the callback returns.
Status prepare(PatchedObject &object);
Status prepare_all(nophook_klp *core);

} // namespace nophook
