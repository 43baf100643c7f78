// A program that uses int3 itself keeps its handler, and gets each of its traps, while sites are
// changed by traps.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %linked
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "sites.h"
#include <ftrace.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int over;
static long own_traps, wanted_traps, bodies, calls;
static __thread int marker;
UNTRACED static void on_own_trap(int number, siginfo_t *info, void *context) {
  EXPECT(number == SIGTRAP && info->si_signo == SIGTRAP && context);
  __atomic_fetch_add(&own_traps, marker, __ATOMIC_RELAXED);
}
UNTRACED static void *run(void *unused) {
  long mine = 0, round = 0;
  marker = 1;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++, mine++)
      (*site)();
    __asm__ volatile("int3");
    round++;
  }
  __atomic_fetch_add(&wanted_traps, round, __ATOMIC_RELAXED);
  __atomic_fetch_add(&bodies, site_bodies, __ATOMIC_RELAXED);
  __atomic_fetch_add(&calls, mine, __ATOMIC_RELAXED);
  return unused;
}
UNTRACED int main(void) {
  pthread_t threads[2];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_own_trap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  marker = 1;
  __asm__ volatile("int3"); // after the last batch
  EXPECT_EQ(own_traps, wanted_traps + 1);
  EXPECT_EQ(bodies, calls);
  EXPECT(wanted_traps > 0);
  return failures != 0;
}
