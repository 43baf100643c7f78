// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory that a fork child finds zeroed. It holds the rights to write to shared memory,
// which a child must not inherit. The kernel zeroes it, so no code has to run at the fork.
//
// An emulator may take the kernel's place and ignore that wish (base/wiped_pages.cpp).

#pragma once

#include "base/memory.h"
#include "base/status.h"

namespace nophook {

// Memory of which a child finds all but the first `kept` bytes zeroed; `kept` is a multiple of the
// page size. Errors: ENOMEM, which says `no_memory`; ENOSYS. Thread and signal safe, no lock.
Status map_wiped_behind(uint64_t kept, uint64_t bytes, const char *no_memory, void **result);

// The same for a whole mapping, and its end.
inline Status map_wiped(uint64_t bytes, const char *no_memory, void **result) {
  return map_wiped_behind(0, bytes, no_memory, result);
}
void unmap_wiped(void *at, uint64_t bytes);

// Called in a child of libc's fork, before any of it is used.
void wipe_if_ignored();

} // namespace nophook
