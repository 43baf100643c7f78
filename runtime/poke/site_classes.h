// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a trampoline for each function: the class of each record of a module, a slot of its
// islands (ISLAND_SLOT_..., arch/fast_path.h). It comes from the descriptors, and for a site that
// is not at its function's entry from the code in front of it.

#pragma once

#include "sites/module.h"

#include <stdint.h>

namespace nophook {

// For kinds that call bodies: fills nophook_bodies, nophook_copies, and `slot` with the class of
// each record. `slot` is as long as there are records, and zero.
void read_descriptors(Module *module, uint8_t *slot);

// For kinds that sites call: the classes of sites that are not at the entry. Only these have a
// class of their own there.
void find_sites_after_prologue(Module *module, uint8_t *slot);

} // namespace nophook
