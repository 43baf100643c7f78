// A call of function_graph whose entry is lost in a full buffer gets no frame, with arguments on the stack, too; its exit is counted as lost with it. Calls that are open when the buffer becomes full return as they should, and when there is room again, calls have frames again.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function_graph -k 1024 -- %t
#include "drain.h"

#include <ftrace.h>

static const char *work_local, *many_local; // how deep the stack was in the body
NOINLINE static long work(long n) {
  volatile char local = 0;
  work_local = (const char *)&local;
  return n + 1 + local;
}
NOINLINE static long tail(long n) {
  KEEP(n);
  return work(n); // by a jump
}
NOINLINE static long many(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
  volatile char local = 0;
  many_local = (const char *)&local;
  return local + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
NOINLINE static long open_while_it_fills(long calls) { // its exit is the last one that is lost
  long sum = 0;
  for (long i = 0; i < calls; i++)
    sum += work(i) - i;
  return sum;
}

// Whether the bodies have a frame of ours above them.
static const char *work_untraced, *many_untraced;
UNTRACED static void call_both(int have_frames) {
  EXPECT_EQ(work(1), 2);
  EXPECT_EQ(work_local < work_untraced, have_frames);
  EXPECT_EQ(many(1, 2, 3, 4, 5, 6, 7, 8, 9), 285);
  EXPECT_EQ(many_local < many_untraced, have_frames);
}

UNTRACED int main(void) {
  const long calls = 200000;
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  work_untraced = many_untraced = NULL;
  call_both(0);
  work_untraced = work_local, many_untraced = many_local;
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  EXPECT(drain_start());
  drain_finish(); // nobody reads now
  call_both(1);
  EXPECT_EQ(open_while_it_fills(calls), calls);

  const long lost = (long)drain_lost();
  EXPECT(lost > calls);
  call_both(0);
  EXPECT_EQ(tail(1), 2);
  EXPECT_EQ(drain_lost(), lost + 8);

  drain_once(NOPHOOK_SUBBUF_FULL);
  const long kept = (long)(drained_events[NOPHOOK_EVENT_ENTRY] + drained_events[NOPHOOK_EVENT_EXIT]);
  EXPECT_EQ(kept + lost, 2 * (calls + 3));
  call_both(1);
  EXPECT_EQ(drain_lost(), lost + 8);
  return failures != 0;
}
