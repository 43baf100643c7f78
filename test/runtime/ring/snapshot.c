// snapshot sets the rings aside while they are written: a buffer of its own with all that was there, and what comes later is not in it.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -s 'set_ftrace_filter=work,now:snapshot:2,then:dump buffer_mode=overwrite' -- %t
// RUN: %show --python 'sorted(len(r.events) for b in buffers for r in b.rings) == [1000, 1000, 2000, 3000]' %t.buf
// RUN: %show --python '[b.snapshot for b in sorted(buffers, key=lambda b: b.snapshot)] == [0, 1, 2, 3] and any("s2.buf" in b.log for b in buffers)' %t.buf
#include "program.h"
NOINLINE void work(int n) { KEEP(n); }
NOINLINE void now(void) { KEEP(0); }
NOINLINE void then(void) { KEEP(0); }
UNTRACED int main(void) {
  for (int i = 0; i < 3000; i++) {
    work(i);
    if (i == 999)
      now(), then();
    if (i == 1999)
      now(), now();
  }
  return failures;
}
