// All sites are toggled while two threads run through them, one with every signal blocked: no
// call is lost or doubled, and after `nop` the text is the file's, byte for byte.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t 150
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t 150
// RUN: %traced_cc -O1 -fcf-protection=full %s -o %t %linked
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t 150
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t 150
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %linked
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t 3
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t 3
#include "sites.h"
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <signal.h>

static int over;
static long rounds[2];
NOINLINE void compiled(int n) { KEEP(n); }
UNTRACED static void *run(void *raw) {
  long calls = 0, *round = raw;
  if (round == &rounds[1]) {
    sigset_t set;
    sigfillset(&set);
    if (SITES_WITH_TRAPS) // int3 needs it, and so does nothing else
      sigdelset(&set, SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
  }
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++, calls++)
      (*site)();
    compiled((int)*round);
    __atomic_store_n(round, *round + 1, __ATOMIC_RELEASE);
  }
  EXPECT_EQ(site_bodies, calls);
  return NULL;
}
UNTRACED static void wait_for_both(void) {
  long before[2] = {rounds[0], rounds[1]};
  while (!over && (__atomic_load_n(&rounds[0], __ATOMIC_ACQUIRE) < before[0] + 2 ||
                   __atomic_load_n(&rounds[1], __ATOMIC_ACQUIRE) < before[1] + 2))
    sched_yield();
}

UNTRACED int main(int count, char **arguments) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop", "function", "function_graph", "nop"};
  pthread_t threads[2];
  EXPECT(count == 2 && sites_end - sites_begin > 100);
  EXPECT_EQ(text_differing(), 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, &rounds[i]);
  for (int i = 0; i < atoi(arguments[1]); i++)
    for (int k = 0; k < 7; k++) {
      EXPECT_EQ(tracing_set_tracer(kNext[k]), 0);
      if (i < 10)
        wait_for_both();
      if (kNext[k][0] == 'n')
        EXPECT_EQ(text_differing(), 0);
      else
        EXPECT(text_differing() >= 3 * (sites_end - sites_begin)); // rel32 may share bytes
    }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return failures != 0;
}
