// A process with one thread changes sites that need int3 without one; a signal that comes in the
// middle is handled when all sites are whole.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <signal.h>

static int in_batch, handled;
UNTRACED static void on_signal(int number) {
  EXPECT(number == SIGUSR1 && !in_batch);
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  handled++;
}
UNTRACED static void stop(int step) {
  struct sigaction now;
  sigaction(SIGTRAP, NULL, &now);
  EXPECT(now.sa_handler == SIG_DFL);
  in_batch = step != kPokeClosed;
  if (step == kPokeOpened)
    raise(SIGUSR1);
}
UNTRACED int main(void) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop"};
  signal(SIGUSR1, on_signal);
  nophook_poke_stop = stop;
  for (int i = 0; i < 4; i++) {
    EXPECT_EQ(tracing_set_tracer(kNext[i]), 0);
    EXPECT_EQ(handled, i + 1);
  }
  EXPECT_EQ(site_bodies, 4 * (sites_end - sites_begin));
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
