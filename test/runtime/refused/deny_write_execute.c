// The filter of systemd's MemoryDenyWriteExecute: no mprotect() with PROT_EXEC, no mmap() with PROT_WRITE and PROT_EXEC. Tracing works, alone and with another thread, and after nop the text is the file's.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "refuse.h"
#include "trace_twice.h"
#include <sys/mman.h>

UNTRACED int main(void) {
  refuse(SYS_mprotect, 2, PROT_EXEC, EPERM);
  refuse(SYS_pkey_mprotect, 2, PROT_EXEC, EPERM);
  refuse(SYS_mmap, 2, PROT_WRITE | PROT_EXEC, EPERM);
  EXPECT(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  return trace_alone_and_beside();
}
