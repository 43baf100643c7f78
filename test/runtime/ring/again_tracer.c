// Setting the tracer of a process whose reader has said stop lets events flow; old ones leave their room.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l before -l after -k 1024 -- %t
// RUN: %show --python 'buffers[0].stop == 0 and buffers[0].lost_events() == 0 and buffers[0].clears == 2' %t.buf
// RUN: %show --python '[buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events] == ["after"] * 60000' %t.buf
#include "drain.h"
#include <ftrace.h>

NOINLINE static void before(int n) { KEEP(n); }
NOINLINE static void after(int n) { KEEP(n); }
UNTRACED int main(void) {
  EXPECT(drain_start());
  drain_finish(); // nobody reads now
  for (int again = 0; again < 2; again++) {
    for (int i = 0; i < 200000; i++)
      before(i);
    EXPECT(drain_lost() > 0);
    __atomic_store_n(&drained->stop, 1, __ATOMIC_RELEASE);
    before(0);
    EXPECT_EQ(tracing_set_tracer(again ? "function" : "nop"), 0);
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT_EQ(drain_lost(), 0);
  }
  for (int i = 0; i < 60000; i++) // two words each: more than a buffer that is not empty holds
    after(i);
  return failures != 0;
}
