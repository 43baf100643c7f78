// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads <sys/single_threaded.h>, which glibc has had since 2.32.

#include "base/libc_threads.h"

extern "C" __attribute__((weak)) char __libc_single_threaded;

namespace nophook {

bool libc_has_threads() {
  return &__libc_single_threaded && !__libc_single_threaded;
}

} // namespace nophook
