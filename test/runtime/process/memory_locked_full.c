// A program with locked memory whose limit leaves no room for more of the buffer loses events, not its
// life: those are counted, and the log says why. Events that fit are recorded.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 262144 -- %t
// RUN: %show --python 'sum(len(r.events) + r.lost for b in buffers for r in b.rings) == 400000 and all(r.lost > 1000 for b in buffers for r in b.rings)' %t.buf
// RUN: %show --python '"the buffer stays at 2048 KiB, as the kernel maps no more" in buffers[0].log and buffers[0].log.count("stays") == 1' %t.buf
#include "memory_lock.h"

NOINLINE void work(int n) { KEEP(n); }
UNTRACED int main(void) {
  work(0);
  lock_memory(64 << 20);
  limit_locks(0); // locked memory stays
  for (int i = 1; i < 400000; i++)
    work(i);
  return failures != 0;
}
