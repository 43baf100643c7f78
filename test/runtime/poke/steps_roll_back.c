// A change from a jump to a call by steps that meets an anomaly elsewhere is taken back, by the same
// steps, while threads run through it: each call has its body, and then everything is off.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=store %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=skip %trace_linked -p '' -k 4096 -- %t
#include "ops.h"
#include "poke.h"
static SiteFunction *victim, *across;
static unsigned char heads[5];
static long undone;
UNTRACED static void scribble(int step) {
  if (kill_reason())
    return;
  heads[step] = *(unsigned char *)across;
  if (step == kPokeClosed)
    memcpy((char *)victim, "\x0f\x1f\x44\x00\x42", 5);
  undone += step == kPokeUndoing;
}

UNTRACED int main(void) {
  static struct Counted counted = COUNTED(0);
  for (SiteFunction *const *site = sites_begin; site < sites_end; site += 2) { // functions without endbr64
    unsigned in_word = (unsigned long)*site % 8;
    victim = in_word == 1 ? *site : victim;
    across = in_word > 3 ? *site : across;
  }
  start_runners(2);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  wait_for_runners();
  for (int i = 0; i < 20; i++) {
    EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  }
  nophook_poke_stop = scribble;
  EXPECT_EQ(register_ftrace_function(&counted.ops), -EIO);
  EXPECT(heads[kPokeOpened] == 0xe9 && heads[kPokeHeads] == 0xe9 && heads[kPokeTails] == 0xe8);
  EXPECT_EQ(undone, 1);
  EXPECT(kill_reason() != NULL);
  EXPECT_EQ(text_differing(), 1);
  wait_for_runners();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  wait_for_runners();
  stop_runners();
  return failures != 0;
}
