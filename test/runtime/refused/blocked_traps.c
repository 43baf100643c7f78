// While a thread keeps SIGTRAP blocked, sites that need int3 are not enabled, and reported; a
// batch that would have to disable some is refused, and done when the thread is gone.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: %trace_linked -p '' -k 4096 -- %t
// RUN: grep "functions are not traced: their sites need int3, which a thread that blocks SIGTRAP" %t.buf/*.buf
#include "text.h"
#include <errno.h>
#include "poke.h"
#include <ftrace.h>
#include <signal.h>
#include <sys/wait.h>

static int ends[2], is_blocking;
UNTRACED static void *block(void *unused) {
  sigset_t all;
  char byte;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  __atomic_store_n(&is_blocking, 1, __ATOMIC_RELEASE);
  EXPECT(read(ends[0], &byte, 1) == 1);
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  EXPECT(read(ends[0], &byte, 1) == 1);
  return unused;
}
UNTRACED static pthread_t start_blocker(void) {
  pthread_t thread;
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(pthread_create(&thread, NULL, block, NULL), 0);
  while (!__atomic_load_n(&is_blocking, __ATOMIC_ACQUIRE))
    usleep(1000);
  return thread;
}
UNTRACED static void stop_blocker(pthread_t thread) {
  EXPECT_EQ(write(ends[1], "12", 2), 2);
  pthread_join(thread, NULL);
}
UNTRACED static void stop(int step) {
  if (step == kPokeHeads)
    EXPECT_EQ(write(ends[1], "1", 1), 1);
}
UNTRACED static int enabled(int needs_trap) {
  int count = 0;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++) {
    const unsigned char *ip = (const unsigned char *)*site;
    ip += *ip == 0xf3 ? 4 : 0;
    count += *ip == 0xe8 && ((unsigned long)ip % 8 == 7) == needs_trap;
  }
  return count;
}
UNTRACED static void enable(void) {
  pthread_t thread = start_blocker();
  nophook_poke_stop = stop; // it runs through the sites in the middle of the batch
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  nophook_poke_stop = NULL;
  EXPECT_EQ(enabled(1), 0);
  EXPECT(enabled(0) > 100);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(write(ends[1], "2", 1), 1);
  pthread_join(thread, NULL);
}
UNTRACED static void disable(void) {
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT(enabled(1) > 10);
  pthread_t thread = start_blocker();
  EXPECT_EQ(tracing_set_tracer("nop"), -EBUSY);
  EXPECT(enabled(1) > 10);
  stop_blocker(thread);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
}

UNTRACED int main(void) {
  IN_CHILD(disable());
  IN_CHILD(enable());
  return failures != 0;
}
