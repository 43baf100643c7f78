// While static calls are switched on and off, threads and signal handlers in them lose no call: bodies run once each, and with the callback on for good every call is seen.
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: env NOPHOOK=static=1 %t
#include "calls.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
static long bodies[3], calls[3], in_handler, handlers;
static int over;
KEPT static void body(long *count) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }
UNTRACED static void *run(void *raw) {
  long i = (long)raw;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    body(&bodies[i]), calls[i]++;
  return NULL;
}
UNTRACED static void handle(int number) {
  (void)number;
  body(&in_handler), handlers++;
}
UNTRACED static void seen(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  __atomic_fetch_add((long *)ops->private, 1, __ATOMIC_RELAXED);
}
UNTRACED int main(void) {
  long all = 0, some = 0;
  static struct ftrace_ops always = {.func = seen}, toggled = {.func = seen};
  always.private = &all, toggled.private = &some;
  EXPECT_EQ(register_ftrace_function(&always), 0);
  signal(SIGALRM, handle);
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, (void *)i);
  for (int i = 0; i < 2000; i++) {
    EXPECT_EQ(register_ftrace_function(&toggled), 0);
    body(&bodies[2]), calls[2]++;
    EXPECT_EQ(unregister_ftrace_function(&toggled), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  timer = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &timer, NULL);
  EXPECT_EQ(unregister_ftrace_function(&always), 0);
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(bodies[i], calls[i]);
  EXPECT_EQ(in_handler, handlers);
  EXPECT_EQ(all, calls[0] + calls[1] + calls[2] + handlers);
  EXPECT(some >= 2000);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
