// Breakpoints on sites are left alone and reported, whenever they were set: before a site is
// enabled, while it is, and in the middle of a batch. All other sites are changed.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=store %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=skip %trace_linked -p '' -k 4096 -- %t
// RUN: env NOPHOOK_TEXT_CHECK= NOPHOOK_POKE=trap %trace_linked -p '' -k 4096 -- %t
// RUN: grep "1 functions hold foreign code at their entry and are left alone" %t.buf/*.buf
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/wait.h>

static unsigned char *victim;
static int at_step;
// As a debugger does it: from outside, through the file of our memory.
UNTRACED static void set_breakpoint(void) {
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", parent);
    _exit(pwrite(open(path, O_RDWR), "\xcc", 1, (off_t)victim) != 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*victim, 0xcc);
}
UNTRACED static void stop(int step) {
  if (step == at_step)
    *victim = 0xcc; // the text is writable here
}
// It is never called: nobody is there to take its trap.
UNTRACED static long call_others(void) {
  long before = site_bodies;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    if ((unsigned char *)*site != victim)
      (*site)();
  return site_bodies - before - (sites_end - sites_begin - 1);
}
UNTRACED static void *idle(void *unused) { return pause(), unused; }
UNTRACED static void check(int when) {
  pthread_t thread;
  pthread_create(&thread, NULL, idle, NULL);
  nophook_poke_stop = when < 2 ? NULL : stop;
  at_step = when == 2 ? kPokeOpened : kPokeClosed;
  if (when == 0)
    set_breakpoint();
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  if (when == 1)
    set_breakpoint();
  EXPECT_EQ(*victim, 0xcc);
  EXPECT_EQ(call_others(), 0);
  EXPECT(text_differing() > 3 * (sites_end - sites_begin - 1));
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  EXPECT_EQ(call_others(), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(*victim, 0xcc);
  EXPECT(memcmp(victim + 1, "\x1f\x44\x00\x08", 4) == 0 || when % 2); // else it is on a call
  EXPECT(text_differing() <= 5);
  EXPECT(kill_reason() == NULL);
}

UNTRACED int main(void) {
  victim = (unsigned char *)sites_begin[2];
  for (int when = 0; when < 4; when++)
    IN_CHILD(check(when));
  return failures != 0;
}
