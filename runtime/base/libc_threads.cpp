// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc has shown it since 2.32, by <sys/single_threaded.h>.

#include "base/libc_threads.h"

extern "C" __attribute__((weak)) char __libc_single_threaded;

namespace nophook {

bool libc_has_threads() {
  return &__libc_single_threaded && !__libc_single_threaded;
}

} // namespace nophook
