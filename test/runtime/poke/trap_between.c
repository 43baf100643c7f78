// A thread that loses its CPU in the SIGTRAP handler, until its batch is over and another has begun, goes on as the new instruction says; the handler stays, and so does what the program had installed before it.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include <string.h>
#include "poke.h"
#include <ftrace.h>
#include <signal.h>

// runtime/poke/poke.h: called in the SIGTRAP handler.
extern void (*nophook_trap_stop)(int has_looked);
static int batch, has_trapped, has_looked, is_over;
static __thread int is_late;

UNTRACED static void wait_until(int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
    sched_yield();
}
UNTRACED static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); }

static int first_is_over, second_is_open, may_trap;
UNTRACED static void in_handler(int looked) {
  if (!is_late)
    return;
  set(looked ? &has_looked : &has_trapped);
  wait_until(looked ? &second_is_open : &first_is_over);
}
UNTRACED static void at_step(int step) {
  if (step != kPokeHeads)
    return;
  if (++batch == 1) {
    set(&may_trap);
    wait_until(&has_trapped);
  } else if (batch == 2) {
    set(&second_is_open);
    wait_until(&is_over);
  }
}
UNTRACED static void *be_late(void *unused) {
  wait_until(&may_trap);
  is_late = 1;
  sites_begin[0]();
  is_late = 0;
  set(&is_over);
  return unused;
}
UNTRACED static void *change(void *unused) {
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return unused;
}
UNTRACED int main(void) {
  pthread_t late, changing;
  struct sigaction now;
  signal(SIGTRAP, SIG_IGN);
  nophook_poke_stop = at_step;
  nophook_trap_stop = in_handler;
  pthread_create(&late, NULL, be_late, NULL);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  set(&first_is_over);
  wait_until(&has_looked);
  pthread_create(&changing, NULL, change, NULL);
  pthread_join(late, NULL);
  pthread_join(changing, NULL);
  EXPECT_EQ(batch, 2);
  EXPECT_EQ(sigaction(SIGTRAP, NULL, &now), 0);
  EXPECT(now.sa_handler != SIG_IGN && now.sa_handler != SIG_DFL);
  raise(SIGTRAP); // ignored as before
  return failures != 0;
}
