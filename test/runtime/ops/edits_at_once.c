// Two threads edit the filter of one registered ops at the same time: each edit is whole, none is lost.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>

enum { kRounds = 2000 };
NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
NOINLINE void gamma_(void) { KEEP(0); }
static struct Counted counted = COUNTED(0);
UNTRACED static void *edit(void *name) {
  char without[16];
  snprintf(without, sizeof without, "!%s", (char *)name);
  for (int i = 0; i < kRounds; i++) {
    EXPECT_EQ(set_filter(&counted.ops, (char *)name, 0), 0);
    EXPECT_EQ(set_filter(&counted.ops, without, 0), 0);
  }
  EXPECT_EQ(set_filter(&counted.ops, (char *)name, 0), 0);
  return NULL;
}

UNTRACED int main(void) {
  pthread_t threads[2];
  char *const names[] = {"alpha", "beta"};
  EXPECT_EQ(set_filter(&counted.ops, "gamma_", 1), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, edit, names[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(calls_of(&counted), 0);
  alpha(), beta(), gamma_();
  EXPECT_EQ(calls_of(&counted), 3);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
