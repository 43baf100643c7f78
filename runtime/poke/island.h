// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Islands: the thunks of a module, in memory that the calls and jumps of its sites can reach.
//
//      +0      slots       addresses of the trampolines, one for each class of thunk
//      +4096   thunks      kThunkBytes for each record: the id, and a jump to the address in a slot
//
// A module has one island for each kind of site, and neither ever changes. A thread may be
// preempted between a site and the trampoline for as long as it likes: if a thunk led to
// function's trampoline today and to function_graph's tomorrow, it would arrive at one with
// the stack of the other, and the body would run twice or not at all.

#pragma once

#include "arch/arch.h"
#include "arch/fast_path.h"
#include "sites/module.h"

namespace nophook {

// Makes the module's island of this kind and sets `module->thunks[kind]`; for kinds that call the
// body also fills nophook_bodies and nophook_copies for its ids. If there is one already, does
// nothing. Errors: ENOMEM (no memory in reach), EPERM (memory cannot be made executable).
Status make_island(Module *module, SiteKind kind);

// Makes the module's islands between calls and jumps of `jump_kind`, once, if it can have any.
// Errors: those of make_island for the islands that they lead to.
Status make_between(Module *module, SiteKind jump_kind);

// The thunk of a record in that island, or 0.
uint64_t between_thunk(const Module *module, uint32_t index, SiteKind jump_kind);

// The address of a record's thunk.
inline uint64_t thunk_address(const Module *module, uint32_t index, SiteKind kind) {
  return module->thunks[(int)kind] + (uint64_t)index * Arch::kThunkBytes;
}

// The address to which a jump at `ip` in `module` must go to reach `target`: the target itself, or
// a stub in reach, which belongs to this target for ever. Errors: ENOMEM (also after 256 targets),
// EPERM.
Status reach_from(Module *module, uint64_t ip, uint64_t target, uint64_t *jump);

// Sets a function that is called when the module has got an island, before a site leads there. Its
// error is the island's.
void when_island_is_made(Status (*is_made)());

// New memory that jumps in the module reach, to be made executable. Errors: ENOMEM.
Status map_in_reach(const Module *module, uint64_t bytes, char **at);

} // namespace nophook
