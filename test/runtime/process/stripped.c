// Stripped programs, bound at once or not, static or not, are traced call by call.
// RUN: %traced_cc -O1 %s -o %t -s -Wl,-z,now %linked
// RUN: %trace_linked -p function -- %t && %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 101' %t.buf
// RUN: %traced_cc -O1 %s -o %t -Wl,-z,now,-z,relro && %strip --strip-all %t
// RUN: %trace -p function -- %t && %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 101' %t.buf
// RUN: %traced_cc -O1 %s -o %t -static-pie -fPIE -s -Wl,-z,now %static
// RUN: %trace_linked -p function -- %t && %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 101' %t.buf
#include "program.h"
NOINLINE static void work(void) { KEEP(0); }
int main(void) {
  for (int i = 0; i < 100; i++)
    work();
  return failures;
}
