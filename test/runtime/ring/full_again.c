// A thread whose full buffer drops its events notices at once what makes room: a clearing, another size; and soon a reader that was killed before it could tell.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l work -k 1024 -- %t
#include "drain.h"
#include <tracefs.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    work(i);
}
UNTRACED static void set(const char *name, const char *text) {
  EXPECT(tracefs_write(name, text, strlen(text), 0) >= 0);
}

UNTRACED int main(void) {
  EXPECT(drain_start());
  drain_finish(); // nobody reads now
  call(200000);
  uint64_t lost = drain_lost();
  EXPECT(lost > 0);
  call(1000);
  EXPECT_EQ(drain_lost(), lost + 1000);
  set("buffer_size_kb", "2048");
  call(1000);
  EXPECT_EQ(drain_lost(), lost + 1000);
  call(200000);
  EXPECT(drain_lost() > lost + 1000);
  set("current_tracer", "nop");
  set("current_tracer", "function"); // begins with an empty buffer
  call(1000);
  EXPECT_EQ(drain_lost(), 0);
  call(300000);
  lost = drain_lost();
  EXPECT(lost > 0);
  uint32_t freed = drained->freed;
  drain_once(NOPHOOK_SUBBUF_FULL);
  drained->freed = freed;
  call(4000);
  EXPECT(drain_lost() <= lost + 1024);
  return failures != 0;
}
