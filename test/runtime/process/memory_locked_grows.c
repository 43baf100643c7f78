// A program whose memory is locked, now and in future, writes more than the first 2 MiB of its buffer: the kernel fills and locks each further part as it is mapped, and nothing is lost. (What happens at a limit: memory_locked_full.c.)
// REQUIRES: root
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 16384 -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 400000 and not sum(r.lost for b in buffers for r in b.rings) and "stays" not in buffers[0].log' %t.buf
#include "program.h"

#include <sys/mman.h>

NOINLINE void work(int n) { KEEP(n); }
UNTRACED int main(void) {
  work(0);
  EXPECT_EQ(mlockall(MCL_CURRENT | MCL_FUTURE), 0);
  for (int i = 1; i < 400000; i++)
    work(i);
  return failures;
}
