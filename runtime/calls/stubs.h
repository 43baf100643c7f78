// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call stubs: functions of our own, each with a site, that jump to a function of a library
// (docs/design/calls.md). The stubs of one library that one module has first asked for are a
// module, with the library's path and the functions' names.
//
// They are never freed: a thread may be in one, and a trace names them by their ids. A function
// that is asked for again in the same way gets the stub that it has.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "calls/import_table.h"
#include "sites/module.h"

namespace nophook {

// A function to be called by a stub.
struct Callee {
  const char *name;
  const char *library; // path of the library
  uint64_t target;
  ImportKind kind;
  uint64_t stub; // the address that goes into the slot
};

// Finds or makes the stub of each; those without one keep 0. `*modules` and `*records` count the
// new ones. Errors: ENOMEM, EPERM (no executable memory).
Status make_stubs_of(const Module *caller, Array<Callee> &callees, uint32_t *modules,
                     uint64_t *records);

// The address that the stub at `address` jumps to; 0: there is none.
uint64_t target_of_stub(uint64_t address);

// Drops the types of arguments that lie in the caller, which is unloaded.
void forget_types_of(const Module *caller);

} // namespace nophook
