// A program that locks its memory gets rules of rates that take a few pages each, within its limit: one of 100 calls is recorded.
// RUN: %traced_cc -O1 -I%S/../process %s -o %t %linked
// RUN: %trace_linked -p function -k 1024 -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 1000' %t.buf
#include "memory_lock.h"

#include <string.h>
#include <tracefs.h>

NOINLINE void hot(int n) { KEEP(n); }
NOINLINE void cold1(void) { KEEP(1); }
NOINLINE void cold2(void) { KEEP(2); }
NOINLINE void cold3(void) { KEEP(3); }
UNTRACED static void set(const char *file, const char *text) {
  EXPECT(tracefs_write(file, text, strlen(text), 0) >= 0);
}
UNTRACED int main(void) {
  hot(0);
  lock_new_memory(8 << 20); // a tracer that has rules makes a page of each thread's, and more
  long before = resident_bytes();
  set("set_ftrace_filter", "cold1:sample:2");
  set("set_ftrace_filter", "cold2:sample:2");
  set("set_ftrace_filter", "cold3:ratelimit:9/s");
  set("set_ftrace_filter", "hot:sample:100");
  set("current_tracer", "nop");
  set("current_tracer", "function");
  for (int i = 0; i < 100000; i++)
    hot(i);
  EXPECT(resident_bytes() - before < 8 << 20);
  return failures;
}
