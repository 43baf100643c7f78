// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SIGTRAP handler of a batch that must use int3 (docs/design/text_poke.md).

#pragma once

#include "base/status.h"
#include "poke/poke.h"

namespace nophook {

// Installs the handler for the sites among `sites` that go the trap way. The array must stay
// as it is until trap_end(). Errors: EBUSY (a debugger would take our traps), EPERM.
Status trap_begin(const PokeSite *sites, uint64_t count);

// Waits until no thread can be on its way into the handler and gives the program its own
// handler back.
void trap_end();

} // namespace nophook
