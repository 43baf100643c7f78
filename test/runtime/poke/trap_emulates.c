// A thread that meets int3 in a batch goes on as if the new instruction were there already: a call
// or jump is traced, a NOP is not. It is so before tails are written, and after.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "text.h"
#include "poke.h"
#include <ftrace.h>

NOINLINE int by_call(int n) { return n + 1; }
NOINLINE int by_jump(int n) { return n + 1; }
NOINLINE int by_nop(int n) { return n + 1; }
static int (*function)(int);
static int traps;
UNTRACED static void stop(int step) {
  if (step == kPokeHeads || step == kPokeTails) {
    traps += *(unsigned char *)function == 0xcc;
    EXPECT_EQ(function(step), step + 1);
  }
}
UNTRACED static void *idle(void *unused) { return pause(), unused; }
UNTRACED static void change(const char *tracer, int (*called)(int)) {
  function = called;
  EXPECT_EQ(tracing_set_tracer(tracer), 0);
}
UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, idle, NULL);
  nophook_poke_stop = stop;
  change("function", by_call);
  change("nop", by_nop);
  change("function_graph", by_jump);
  change("nop", by_nop);
  EXPECT_EQ(traps, 8);
  EXPECT_EQ(text_differing(), 0);
  printf("by_call 2\nby_jump 2\n");
  return failures;
}
