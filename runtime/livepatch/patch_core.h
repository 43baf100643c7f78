// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's half of a patch, and the list of those that are enabled. All of it is under the
// runtime's lock.

#pragma once

#include "livepatch/patch.h"
#include "livepatch/versions.h"

namespace nophook {

// Makes the half of a patch that lies in the file `path`, and finds its functions in the objects
// that are loaded. It logs what it refuses. Errors: those of klp_enable_patch().
Status make_core(klp_patch *patch, const ObjectPath &path, nophook_klp **made);
void free_core(nophook_klp *core);

// Finds the bodies of an object's functions. Errors: those of find_original(), dispatch_of().
Status resolve(nophook_klp *core, uint32_t object, Module *module);

// The list of enabled patches, the newest one first. `core->older` must be newest_patch().
void list_core(nophook_klp *core);
void unlist(nophook_klp *core);
bool is_listed(const nophook_klp *core);
nophook_klp *patch_of_number(uint32_t number); // null: there is none

// Logs the part of a patch that is refused, or that `status` is the reason why all of it is, and
// returns `status`.
Status refuse(const nophook_klp *core, const char *what, Status status);
// Logs an event in the life of a patch.
void report(const nophook_klp *core, const char *what);

} // namespace nophook
