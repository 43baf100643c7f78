// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text_poke: changes many sites at once while other threads run through them.
//
// docs/design/text_poke.md has the protocol. In short, each site takes the first way that
// its address allows:
//
//   store  its five bytes lie in one aligned 8-byte word: one store
//   skip   its first two bytes do: jump over the tail, sync, tail, sync, head
//   trap   neither: int3, sync, tail, sync, head, with a SIGTRAP handler meanwhile
//
// and the whole batch shares three core syncs (membarrier). While a process has one thread,
// plain stores do.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

enum class PokeWay : uint8_t { kStore, kSkip, kTrap };

// One change. Instructions are five bytes, first byte lowest.
struct PokeSite {
  uint8_t *ip;
  uint64_t from : 40;
  uint64_t way : 8;    // PokeWay; set by text_poke_batch
  uint64_t failed : 1; // set by text_poke_batch: other bytes than `from` were found
  uint64_t to : 40;
};

// The way that a site at `ip` is changed by default, and one that `preferred` asks for if
// the site allows it. Pure.
PokeWay poke_way(uint64_t ip, PokeWay preferred = PokeWay::kStore);

// Selects the way for all sites that allow it (NOPHOOK_POKE).
void set_preferred_way(PokeWay way);

// Must be called early, while there is one thread: registering costs 5 us then and 12 ms
// once threads run. Called again in vain it does nothing.
void register_core_sync();

// Changes `count` sites, sorted by address, none twice. Sites that hold other bytes than `from`
// are left alone and marked. Hold the runtime's lock.
// Errors: EPERM (the text cannot be made writable), ENOSYS (threads run and the kernel offers
// no core sync), EBUSY (a site needs a trap and a debugger is attached). On an error no site
// is changed.
Status text_poke_batch(PokeSite *sites, uint64_t count);

} // namespace nophook
