// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SIGTRAP handler of a batch that must use int3 (docs/design/text_poke.md).
// All but the handler itself runs under the runtime's lock.

#pragma once

#include "base/status.h"
#include "poke/poke.h"

namespace nophook {

// Installs the handler, which stays for good. While there is no table, it passes all traps on.
// `is_inherited`: it has been installed since an earlier trap_begin(). Errors: EPERM.
Status trap_install(bool *is_inherited);

// Publishes a table of those among `sites` that take the trap way and have not failed. If the
// handler was not inherited, every child of vfork from before trap_install() must have ended.
// Errors: ENOMEM.
Status trap_begin(const PokeSite *sites, uint64_t count);

// Takes a site out of the table that turned out not to be ours: its traps belong to another tool.
void trap_forget(const uint8_t *ip);

// From now on a thread that traps goes on as if the old instruction were there.
void trap_undo();

// Withdraws the table. `stuck`: some int3 could not be taken back. Then the table stays, and each
// trap is a NOP.
void trap_end(bool stuck);

} // namespace nophook
