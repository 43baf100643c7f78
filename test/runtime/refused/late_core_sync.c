// A filter that takes membarrier away after the runtime has registered for it: tracing is refused
// while threads run, with the text as it was, by either error; what is enabled stays. If that happens
// in the middle of a batch, no head is closed over a tail that others may not have seen: the site is a
// NOP for all, and tracing is off for good.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "refuse.h"
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/wait.h>

UNTRACED static void refuse_with(int error) {
  start_runners(2);
  refuse(SYS_membarrier, 0, 0, error);
  EXPECT_EQ(tracing_set_tracer("function"), -ENOSYS);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  wait_for_runners();
  stop_runners();
}
UNTRACED static void refuse_off(void) {
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  start_runners(2);
  refuse(SYS_membarrier, 0, 0, EPERM);
  EXPECT_EQ(tracing_set_tracer("nop"), -ENOSYS);
  EXPECT_EQ(strcmp(tracing_get_tracer(), "function"), 0);
  EXPECT(text_differing() >= 3 * (sites_end - sites_begin));
  wait_for_runners();
  stop_runners();
  EXPECT_EQ(tracing_set_tracer("nop"), 0); // one thread needs none
  EXPECT_EQ(text_differing(), 0);
}
static int at_step;
UNTRACED static void refuse_at(int step) {
  if (step == at_step)
    refuse(SYS_membarrier, 0, 0, EPERM);
}
UNTRACED static void refuse_in_batch(int step) {
  start_runners(2);
  at_step = step;
  nophook_poke_stop = refuse_at;
  EXPECT_EQ(tracing_set_tracer("function"), -ENOSYS);
  nophook_poke_stop = NULL;
  wait_for_runners(); // each call has its body
  stop_runners();
  EXPECT(kill_reason() || text_differing() == 0);
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  fflush(stdout);
  syscall(SYS_exit_group, failures != 0); // text that is a NOP in another way than the file's
}

UNTRACED int main(void) {
  for (int step = kPokeOpened; step <= kPokeClosed; step++)
    IN_CHILD(refuse_in_batch(step));
  IN_CHILD(refuse_with(EPERM));
  IN_CHILD(refuse_with(ENOSYS));
  IN_CHILD(refuse_off());
  return failures != 0;
}
