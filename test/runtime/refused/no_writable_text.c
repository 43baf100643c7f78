// Where the kernel never makes text writable, sites are changed through /proc/self/mem.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "refuse.h"
#include "trace_twice.h"
#include <sys/mman.h>

UNTRACED int main(void) {
  refuse(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, EACCES);
  return trace_alone_and_beside();
}
