// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes of a batch, with their records. A record gets its new state as soon as its change is
// collected, while it is in the cache, and its old state again if the batch fails. No thread reads
// it in between: the runtime's lock is held.

#pragma once

#include "base/memory.h"
#include "ops/update.h"
#include "poke/poke.h"
#include "sites/module.h"

#include <nophook/buffer.h>

namespace nophook {

// The former state of a record.
struct Change {
  static constexpr uint32_t kFromBits = 4, kFromRoom = 1 << kFromBits;
  static_assert(kSites <= kFromRoom);
  Change(uint32_t of, Site site, bool off, bool registers, SiteState state)
      : id(of & ((1u << NOPHOOK_ID_BITS) - 1)), to_off(off), from((uint32_t)site & (kFromRoom - 1)),
        had_registers(registers), was_touched(state & kStateTouched) {}
  uint32_t id : NOPHOOK_ID_BITS;
  uint32_t to_off : 1;
  uint32_t from : kFromBits; // a Site
  uint32_t had_registers : 1;
  uint32_t was_touched : 1;
};
static_assert(sizeof(Change) == 4);

// The lists of a batch. The runtime's lock is held.
struct Changes {
  Array<Module *> modules; // the loaded ones that have sites, by address
  Array<PokeSite> sites;   // sites in the order of their addresses
  Array<Change> changes;   // a change for each site
  bool enabled;
  bool any_redirects;

  // Makes room for a change of each function of `dirty`. Errors: ENOMEM.
  Status make_room(const FtraceHash *dirty);

  // Adds the change of a site to `to`, and stores the new state in its record.
  void add(Records::Record record, uint32_t id, Site to, PokeSite site);
};

// The lists for a batch that begins; the same memory each time.
Changes &begin_changes();

// Whether a site that held foreign bytes, or may have held them, holds a NOP now; the NOP's form is
// stored in `state`. The page may be unmapped.
bool is_nop_again(uint64_t ip, SiteState &state);

// Whether a site that should hold `insn` holds the kernel's call of a uprobe instead. The page may
// be gone.
bool is_taken_by_probe(uint64_t ip, uint64_t insn);
// Records that a site holds foreign bytes. A call of ours may be under a breakpoint: its thunk then
// calls nothing.
void give_up(Records::Record record, uint32_t id);

// The fate of sites that held other bytes than their records say.
struct Failures {
  uint64_t foreign; // sites with a breakpoint or uprobe: they are left alone while it is there
  // Sites that had one: they hold their NOP, as the file does, and calls of them were missed.
  uint64_t restored;
  uint64_t again; // restored sites that are to be enabled; their records say off
  uint32_t first; // id of one of them
};

// Ends a batch: the text agrees with the records, except for sites that failed. Drops callbacks
// that no site needs any more.
Failures finish_changes(uint64_t failed);

// Restores the former states of the records, as the text was restored. A second call does nothing.
void take_changes_back();

// Records that the site is `to`.
void set_site(Records::Record record, Site to);

} // namespace nophook
