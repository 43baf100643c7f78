// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two loops in which a large batch spends its time. They have so few instructions that they
// wait for the text's memory alone.

#include "poke/words.h"

#include "arch/arch.h"

namespace nophook {
namespace {

// A site's word, and the site in it.
struct SiteWord {
  explicit SiteWord(const PokeSite &site)
      : word(reinterpret_cast<uint64_t *>(site.address() & ~uint64_t{7})),
        shift(8 * (site.address() & 7)), value(*word) {}
  bool holds(uint64_t insn) const { return (value >> shift & Arch::kInsnMask) == insn; }
  uint64_t *word;
  uint64_t shift;
  uint64_t value;
};

} // namespace

void store_words(PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    if (i + kPrefetchSites < count)
      Arch::prefetch_for_write(sites[i + kPrefetchSites].ip());
    const uint64_t from = sites[i].from();
    const SiteWord at(sites[i]);
    if (at.holds(from))
      __atomic_store_n(at.word, at.value ^ (from ^ sites[i].to()) << at.shift, __ATOMIC_RELEASE);
    else
      sites[i].set_failed(true);
  }
}

bool hold_words(const PokeSite *sites, uint64_t count) {
  bool all = true;
  // Backwards: the words that were written last are still in the cache.
  for (uint64_t i = count; i-- > 0;)
    all &= !sites[i].failed() && SiteWord(sites[i]).holds(sites[i].to());
  return all;
}

} // namespace nophook
