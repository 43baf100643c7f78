// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory that a fork child finds zeroed: for what says who may write where, since a child
// must not go on with its parent's. The kernel zeroes it, so nobody has to be told of the fork.

#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>

namespace nophook {

// Errors: ENOMEM, which says `no_memory`; ENOSYS.
inline Status map_wiped(uint64_t bytes, const char *no_memory, void **result) {
  void *at = map_pages(bytes, MAP_NORESERVE);
  if (!at)
    return failure(ENOMEM, no_memory);
  if (sys_failed(sys(SYS_madvise, at, round_up(bytes, kPageBytes), 18 /* MADV_WIPEONFORK */))) {
    unmap_pages(at, bytes);
    return failure(ENOSYS, "the kernel does not know MADV_WIPEONFORK (Linux 4.14)");
  }
  *result = at;
  return {};
}

} // namespace nophook
