// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache maintenance: instruction fetches find what has been stored to text. A core sync alone does
// not bring that about on every CPU; on x86-64 nothing is to be done. Signal safe.

#pragma once

#include "poke/poke.h"

namespace nophook {

// Syncs all sites but those that have failed, whose text may be unmapped. Call it before the core
// sync.
void sync_sites(const PokeSite *sites, uint64_t count);

// Syncs memory that is readable.
void sync_range(const void *start, uint64_t bytes);

} // namespace nophook

// How many cache lines have been cleaned and invalidated so far; for tests.
extern "C" uint64_t nophook_synced_lines;
