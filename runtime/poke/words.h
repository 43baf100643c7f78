// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches whose sites each lie in one aligned word, as the plugin emits them: one store changes a
// site, and nothing can be refused. A large batch is mostly this.

#pragma once

#include "poke/poke.h"

namespace nophook {

// Distance of prefetches, in sites. Cache lines that other cores execute arrive slowly, one by one;
// fetched this far ahead, they arrive together.
constexpr uint64_t kPrefetchSites = 16;

// Stores the sites' new instructions. A site that does not hold its old one has failed. The text is
// writable.
void store_words(PokeSite *sites, uint64_t count);

// Whether none has failed and all hold what store_words() has written.
bool hold_words(const PokeSite *sites, uint64_t count);

} // namespace nophook
