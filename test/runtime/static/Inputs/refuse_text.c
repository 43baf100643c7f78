// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the program's own constructors run, the kernel stops making text writable, and
// /proc/self/mem cannot be opened for writing.
#include "refuse.h"

#include <fcntl.h>
#include <sys/mman.h>

__attribute__((constructor)) static void refuse_text(void) {
  refuse(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, EACCES);
  refuse(SYS_openat, 2, O_RDWR, EACCES);
  _Static_assert(O_RDWR == 2, "a bit of its own");
}
