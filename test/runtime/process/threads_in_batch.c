// Threads begin and end at each moment of a change: each call has its body, and the text is the file's afterwards, by each way of changing it.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 65536 -- %t
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 65536 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 65536 -- %t
#include "text.h"
#include "poke.h"
#include <errno.h>
#include <ftrace.h>

enum { kChanges = 60, kMakers = 2 };
static int over;
static long calls, bodies, threads;
UNTRACED static void *short_life(void *unused) {
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  __atomic_fetch_add(&calls, sites_end - sites_begin, __ATOMIC_RELAXED);
  __atomic_fetch_add(&bodies, site_bodies, __ATOMIC_RELAXED);
  return unused;
}
UNTRACED static void *make_threads(void *unused) {
  pthread_t thread;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    EXPECT_EQ(pthread_create(&thread, NULL, short_life, NULL), 0);
    pthread_join(thread, NULL);
    __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  }
  return unused;
}

UNTRACED int main(void) {
  static const char *const kTracers[] = {"function", "nop", "function_graph", "nop"};
  pthread_t makers[kMakers];
  for (int i = 0; i < kMakers; i++)
    pthread_create(&makers[i], NULL, make_threads, NULL);
  for (int i = 0; i < kChanges; i++) {
    long before = __atomic_load_n(&threads, __ATOMIC_RELAXED);
    int result;
    while ((result = tracing_set_tracer(kTracers[i % 4])) == -EBUSY)
      sched_yield(); // by int3: a thread that is just starting has all signals blocked
    EXPECT_EQ(result, 0);
    while (__atomic_load_n(&threads, __ATOMIC_RELAXED) == before)
      sched_yield();
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kMakers; i++)
    pthread_join(makers[i], NULL);
  EXPECT_EQ(bodies, calls);
  EXPECT(threads >= kChanges);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
