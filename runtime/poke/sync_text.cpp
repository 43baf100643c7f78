// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cleans the cache lines of a whole batch. First all lines are cleaned, then all are invalidated: a
// barrier for each site would be most of the time that a large batch takes.

#include "poke/sync_text.h"

#include "arch/arch.h"

uint64_t nophook_synced_lines = 0;

namespace nophook {

void sync_sites(const PokeSite *sites, uint64_t count) {
  uint64_t lines = 0;
  for (uint64_t i = 0; i < count; i++)
    if (!sites[i].failed())
      lines += Arch::clean_text(sites[i].ip(), Arch::kSiteBytes);
  Arch::finish_text();
  for (uint64_t i = 0; i < count; i++)
    if (!sites[i].failed())
      lines += Arch::forget_text(sites[i].ip(), Arch::kSiteBytes);
  Arch::finish_text();
  nophook_synced_lines += lines;
}

void sync_range(const void *start, uint64_t bytes) {
  uint64_t lines = Arch::clean_text(start, bytes);
  Arch::finish_text();
  lines += Arch::forget_text(start, bytes);
  Arch::finish_text();
  nophook_synced_lines += lines;
}

} // namespace nophook
