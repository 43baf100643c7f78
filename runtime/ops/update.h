// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what is wanted to what stands in the text.
//
// Two steps, as in the kernel: first the filters move each record's reference count; then
// one pass compares the count with ENABLED and collects what has to change, and one batch
// changes it: make call, make NOP, or leave.

#pragma once

#include "base/status.h"
#include "poke/island.h"
#include "sites/module.h"

namespace nophook {

// Counts every selected function of the loaded modules once, or none at all.
// Errors: ENOMEM.
Status want_filtered();
void want_nothing();

// Brings the text in line with the counts. Hold the runtime's lock.
// `changed` counts the sites that were changed. Errors: those of make_island and
// text_poke_batch; then no site has changed.
Status update_sites(SiteKind kind, uint64_t *changed);

} // namespace nophook
