// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of the patched program that a patch's library asks for.

#pragma once

#include "livepatch/patch.h"

namespace nophook {

// Whether the patch is made for the file that this module was loaded from. All of the following is
// under the runtime's lock, and logs what it refuses. Errors: EINVAL.
Status check_build_id(const nophook_klp *core, const klp_object *object, const Module *module);

// Gives the library that the patch lies in the addresses that it asks for: those in the object with
// this index, or in each one that is loaded. Before any thread can run the patch's functions. If
// one address of an object cannot be found, none of the object's is given. Errors: ENOENT (no such
// name, or several), EINVAL (the kind of the symbol, or of the place), ENOMEM, EPERM.
constexpr uint32_t kEachObject = ~0u;
Status bind_symbols(nophook_klp *core, uint32_t object);

} // namespace nophook
