// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of threads, as the kernel keeps them.

#pragma once

#include "base/few_calls.h"

#include <stddef.h>
#include <sys/prctl.h>

namespace nophook {

// The calling thread's name; in a sandbox that may forbid the question it is empty.
template <size_t Bytes> void read_own_name(char (&name)[Bytes]) {
  static_assert(Bytes >= 16);
  name[0] = 0;
  if (!has_few_calls())
    sys(SYS_prctl, PR_GET_NAME, name);
}

} // namespace nophook
