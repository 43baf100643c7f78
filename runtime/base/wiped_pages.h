// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory that a fork child finds zeroed. It holds the rights to write to shared memory,
// which a child must not inherit. The kernel zeroes it, so no code has to run at the fork.

#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>

namespace nophook {

// Memory of which a child finds all but the first `kept` bytes zeroed; `kept` is a multiple of the
// page size. Errors: ENOMEM, which says `no_memory`; ENOSYS.
inline Status map_wiped_behind(uint64_t kept, uint64_t bytes, const char *no_memory,
                               void **result) {
  auto *at = static_cast<char *>(map_pages(kept + bytes, MAP_NORESERVE));
  if (!at)
    return failure(ENOMEM, no_memory);
  if (sys_failed(sys(SYS_madvise, at + kept, round_up(bytes, kPageBytes), MADV_WIPEONFORK))) {
    unmap_pages(at, kept + bytes);
    return failure(ENOSYS, "the kernel does not know MADV_WIPEONFORK (Linux 4.14)");
  }
  *result = at;
  return {};
}

// The same of all of it.
inline Status map_wiped(uint64_t bytes, const char *no_memory, void **result) {
  return map_wiped_behind(0, bytes, no_memory, result);
}

} // namespace nophook
