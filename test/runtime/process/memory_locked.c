// An ordinary user's program that is traced into 256 MiB locks its memory, with a limit of 64 MiB more
// than it has or what the system grants; its calls are recorded. So does one that serves.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 262144 -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 100000 and not sum(r.lost for b in buffers for r in b.rings)' %t.buf
// RUN: %trace -p function_graph -k 262144 -s serve -- %t
#include "memory_lock.h"

NOINLINE void work(int n) { KEEP(n); }
UNTRACED int main(void) {
  work(0);
  lock_memory(64 << 20);
  for (int i = 1; i < 100000; i++)
    work(i);
  return failures != 0;
}
