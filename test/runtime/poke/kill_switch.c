// A site that does not hold the bytes that were written to it turns all sites into NOPs, for good:
// the reason is kept and logged, the program runs on, and no tracer can be started any more.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=store %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=skip %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=trap %trace_linked -p '' -k 4096 -- %t
// RUN: grep "tracing is off for good: the site at 0x" %t.buf/*.buf
// RUN: %nophook stat %t.buf | grep "tracing is off for good: the site at 0x"
#include "text.h"
#include "poke.h"
#include <errno.h>
#include <ftrace.h>
#include <sys/wait.h>

static SiteFunction *victim;
// Another NOP, written by another tool.
UNTRACED static void scribble(int step) {
  if (step == kPokeClosed && ((unsigned char *)victim)[4] != 0x42 && !kill_reason())
    memcpy((char *)victim, "\x0f\x1f\x44\x00\x42", 5);
}
UNTRACED static void scribble_while(const char *before, const char *change) {
  start_runners(2);
  EXPECT_EQ(tracing_set_tracer(before), 0);
  wait_for_runners();
  nophook_poke_stop = scribble;
  EXPECT_EQ(tracing_set_tracer(change), -EIO);
  EXPECT_EQ(text_differing(), 1);
  EXPECT(kill_reason() && strstr(kill_reason(), "holds 0x420044"));
  wait_for_runners();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT(tracing_set_tracer("function_graph") < 0);
  EXPECT(tracing_set_tracer("function") < 0);
  EXPECT_EQ(text_differing(), 1);
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  wait_for_runners();
  stop_runners();
}

UNTRACED int main(void) {
  victim = sites_begin[2]; // the one at offset 1, in one word
  IN_CHILD(scribble_while("nop", "function_graph"));
  IN_CHILD(scribble_while("function", "nop"));
  return failures != 0;
}
