// Threads that meet int3 go on whatever their stack is: one of 16 KiB, and an alternate signal
// stack of the smallest size the kernel allows.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include <string.h>
#include "poke.h"
#include <ftrace.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>

static long handled;
UNTRACED static void call_all(int number) {
  (void)number;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}
// A signal frame for the signal, another for the trap in it, and some room to call.
UNTRACED static void *on_alternate_stack(void *unused) {
  size_t least = getauxval(AT_MINSIGSTKSZ), calls = 0;
  stack_t stack = {.ss_size = 2 * least + 2048};
  stack.ss_sp = malloc(stack.ss_size);
  EXPECT_EQ(sigaltstack(&stack, NULL), 0);
  while (!__atomic_load_n(&runners.over, __ATOMIC_RELAXED))
    raise(SIGUSR1), calls += (size_t)(sites_end - sites_begin);
  EXPECT_EQ(site_bodies, calls);
  return unused;
}
UNTRACED int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = call_all;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  pthread_t threads[2];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
  pthread_create(&threads[0], NULL, on_alternate_stack, NULL);
  pthread_create(&threads[1], &small, run_sites, NULL);
  for (int i = 0; i < 6; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    long before = __atomic_load_n(&handled, __ATOMIC_RELAXED);
    while (__atomic_load_n(&handled, __ATOMIC_RELAXED) < before + 2)
      sched_yield();
  }
  __atomic_store_n(&runners.over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(runners.bodies, runners.calls);
  EXPECT(runners.calls > 0);
  return failures != 0;
}
