// A function that gets other parameters, some of them on the stack, changes together with its caller: each call has the
// arguments that its version expects, and the stack pointer is what it was.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
// RUN: env NOPHOOK_POKE=skip %t
#include "klp.h"
#include <pthread.h>

NOINLINE long callee(long a) { KEEP(&a); return a; }
NOINLINE long new_callee(long a, long b, long c, long d, long e, long f, long g, long h, long i, double j) {
  KEEP(&a);
  return a + b + c + d + e + f + g + h + i + (long)j;
}
typedef long WithTen(long, long, long, long, long, long, long, long, long, double);
static int inside, leave;
NOINLINE long caller(int waits) {
  long n = 100;
  if (waits)
    set(&inside, 1), wait_until(&leave, 1);
  KEEP(&n);
  return n + callee(1);
}
NOINLINE long new_caller(int waits) {
  long n = 200;
  WithTen *ten = (WithTen *)(void *)callee;
  KEEP(&ten);
  return n + (waits ? 0 : ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
}
PATCH(patch, FUNC(callee, new_callee), FUNC(caller, new_caller));

UNTRACED static void *run(void *unused) {
  EXPECT_EQ(caller(1), 101);
  EXPECT_EQ(caller(0), 255);
  return unused;
}
UNTRACED int main(void) {
  pthread_t thread;
  EXPECT_EQ(caller(0), 101);
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int i = 0; i < 1000; i++)
    EXPECT_EQ(caller(0), 255);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  set(&leave, 1);
  pthread_join(thread, NULL);
  wait_for_patch(&patch);
  EXPECT_EQ(caller(0), 255);
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  EXPECT_EQ(caller(0), 101);
  wait_for_patch(&patch);
  return failures;
}
