// A slot that the lazy resolver overwrites after it was taken is found, counted and set again by the
// next look.
// RUN: %clang -O1 -shared -fPIC -DLIBRARY %s -o %t.so && %traced_cc -Wl,-z,lazy %s %t.so -o %t
// RUN: rm -rf %t.buffers && mkdir %t.buffers
// RUN: env NOPHOOK="buffer_dir=%t.buffers current_tracer=function_graph log=stderr" %preloaded %t 2>&1 | FileCheck %s
#ifdef LIBRARY
#include <stdatomic.h>
atomic_int resolving, may_end;
static int real_answer(int n) { return n + 1; }
// The first thread that asks is stopped until calls are taken. The runtime asks, too.
static int (*choose(void))(int) {
  if (!atomic_fetch_add(&resolving, 1))
    while (!may_end)
      ;
  return real_answer;
}
int answer(int n) __attribute__((ifunc("choose")));
#else
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <tracefs.h>
#pragma weak tracefs_write
#pragma weak tracefs_read
extern atomic_int resolving, may_end;
int answer(int n);
static void *calls(void *unused) {
  return answer(1) == 2 ? unused : &resolving;
}
static void show(const char *when) {
  char text[200] = "";
  tracefs_read("dyn_ftrace_total_info", text, sizeof text - 1);
  const char *second = strchr(text, '\n');
  int set_again = -1;
  sscanf(second + 1, "%*d slots of calls, %d set again", &set_again);
  printf("%s: %d set again\n", when, set_again);
  fflush(stdout);
}
int main(void) {
  pthread_t thread;
  void *wrong;
  pthread_create(&thread, 0, calls, 0);
  while (!resolving)
    sched_yield();
  int failed = tracefs_write("calls", "1", 1, 0);
  show("taken");
  may_end = 1;
  pthread_join(thread, &wrong);
  failed |= tracefs_write("calls", "1", 1, 0);
  show("later");
  failed |= tracefs_write("calls", "1", 1, 0);
  show("again");
  printf("failed %d wrong %d\n", failed, wrong != 0);
  return answer(1) - 2;
}
#endif
// CHECK: taken: 0 set again
// CHECK: 1 slots were overwritten since calls were taken, and are set again
// CHECK: later: 1 set again
// CHECK: again: 1 set again
// CHECK: failed 0 wrong 0
