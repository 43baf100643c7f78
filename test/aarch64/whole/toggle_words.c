// All sites are toggled while threads run through them: no call is lost or doubled, after `nop` the text is the file's,
// and each batch has cleaned and invalidated the line of each site, since the CPU here asks for that.
// RUN: %traced_cc -O1 %s -o %t %static && %run_nop %t 20
#include "program.h"
#include "text.h"

#include <ftrace.h>
#include <pthread.h>
#include <sched.h>

extern uint64_t nophook_synced_lines;
static int over;
static long rounds[2];
static _Thread_local long bodies;

enum { kFunctions = 64 };
#define FUNCTION(n)                                                                                                    \
  NOINLINE long function##n(long a, long b, double c) {                                                                \
    bodies++;                                                                                                          \
    return a * 64 + b + (long)c;                                                                                       \
  }
#define FOUR(n) FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3)
#define SIXTEEN(n) FOUR(n##0) FOUR(n##1) FOUR(n##2) FOUR(n##3)
SIXTEEN(0) SIXTEEN(1) SIXTEEN(2) SIXTEEN(3)
#define NAMES4(n) function##n##0, function##n##1, function##n##2, function##n##3,
#define NAMES16(n) NAMES4(n##0) NAMES4(n##1) NAMES4(n##2) NAMES4(n##3)
static long (*const functions[kFunctions])(long, long, double) = {NAMES16(0) NAMES16(1) NAMES16(2) NAMES16(3)};

UNTRACED static void *run(void *raw) {
  long calls = 0, *round = raw;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    for (int i = 0; i < kFunctions; i++, calls++)
      EXPECT_EQ(functions[i](i, *round & 15, 7.5), i * 64 + (*round & 15) + 7);
    __atomic_store_n(round, *round + 1, __ATOMIC_RELEASE);
  }
  EXPECT_EQ(bodies, calls);
  return NULL;
}

UNTRACED static void wait_for_both(void) {
  long before[2] = {rounds[0], rounds[1]};
  while (__atomic_load_n(&rounds[0], __ATOMIC_ACQUIRE) < before[0] + 2 ||
         __atomic_load_n(&rounds[1], __ATOMIC_ACQUIRE) < before[1] + 2)
    sched_yield();
}

UNTRACED int main(int count, char **arguments) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop", "function", "function_graph", "nop"};
  pthread_t threads[2];
  EXPECT(count == 2);
  EXPECT_EQ(text_differing(), 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, &rounds[i]);
  for (int i = 0; i < atoi(arguments[1]); i++)
    for (int k = 0; k < 7; k++) {
      uint64_t before = nophook_synced_lines;
      EXPECT_EQ(tracing_set_tracer(kNext[k]), 0);
      EXPECT(nophook_synced_lines - before >= 2 * kFunctions);
      wait_for_both();
      if (kNext[k][0] == 'n')
        EXPECT_EQ(text_differing(), 0);
      else
        EXPECT(text_differing() >= kFunctions);
    }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return failures != 0;
}
