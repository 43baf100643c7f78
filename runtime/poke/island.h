// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Islands: the thunks of a module, in memory that its 5-byte calls and jumps can reach.
//
//      +0      slots       one page of addresses, one for each class of thunk; may change
//      +4096   thunks      16 bytes for each record: push $id; jmp *slot; never change
//
// The tracer that is on decides what the slots hold; the thunks' code is the same for ever,
// so a thread that is caught between a site and the trampoline is safe.

#pragma once

#include "arch/fast_path.h"
#include "sites/module.h"

namespace nophook {

struct Island {
  uint64_t *slots;
  uint64_t thunks; // address of thunk 0
};

// Makes the module's island, and fills nophook_bodies and nophook_copies for its ids.
// `module->island` is set on success. Errors: ENOMEM (no memory in reach), EPERM (memory
// cannot be made executable).
Status make_island(Module *module);

// The address of a record's thunk.
inline uint64_t thunk_address(const Module *module, uint32_t index) {
  return module->island->thunks + (uint64_t)index * 16;
}

} // namespace nophook
