// Instances come and go by several threads while others run traced: every call is in each buffer
// that wants it, once; nothing else is; nothing crashes.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK:      main: noise 40000{{$}}
// CHECK-NEXT: own0: f0 100{{$}}
// CHECK-NEXT: own1: f1 100{{$}}
// CHECK-NEXT: own2: f2 100{{$}}
// CHECK-NEXT: steady: noise 40000{{$}}
// CHECK-NOT:  {{.}}
#include "tree.h"

#include <pthread.h>

#define ROUNDS 30
#define CALLS 100

NOINLINE void noise(void) { KEEP(0); }
NOINLINE void f0(void) { KEEP(0); }
NOINLINE void f1(void) { KEEP(1); }
NOINLINE void f2(void) { KEEP(2); }

static void (*const kOwn[])(void) = {f0, f1, f2};

UNTRACED static void set(long number, const char *file, const char *value) {
  char path[64];
  snprintf(path, sizeof path, "instances/own%ld/%s", number, file);
  EXPECT_EQ(echo(value, path, 0), 0);
}

UNTRACED static void add(long number, const char *file, const char *value) {
  char path[64];
  snprintf(path, sizeof path, "instances/own%ld/%s", number, file);
  EXPECT_EQ(echo(value, path, 1), 0);
}

UNTRACED static void *make_and_remove(void *raw) {
  long number = (long)raw;
  char folder[32], name[8];
  snprintf(folder, sizeof folder, "instances/own%ld", number);
  snprintf(name, sizeof name, "f%ld", number);
  for (int round = 0; round < ROUNDS; round++) {
    EXPECT_EQ(tracefs_mkdir(folder), 0);
    set(number, "set_ftrace_filter", round % 3 ? name : "*");
    set(number, "current_tracer", round % 2 ? "function" : "function_graph");
    if (round < ROUNDS - 1) { // until it is removed
      set(number, "set_event", "probes:noise");
      set(number, "events/probes/noise/filter", "common_pid > 0");
      set(number, "events/probes/noise/trigger", "traceon");
      add(number, "events/probes/noise/trigger", "snapshot:1 if common_pid < 0");
      add(number, "set_ftrace_filter", "noise:traceon");
      add(number, "set_ftrace_notrace_pid", "1");
    }
    if (round % 3 == 0)
      set(number, "set_ftrace_filter", name);
    if (round == ROUNDS - 1) // from here on it is only its own
      set(number, "current_tracer", "function_graph");
    for (int i = 0; i < CALLS; i++)
      kOwn[number]();
    if (round < ROUNDS - 1)
      EXPECT_EQ(tracefs_rmdir(folder), 0);
  }
  return NULL;
}

UNTRACED static void *make_noise(void *unused) {
  for (int i = 0; i < 20000; i++)
    noise();
  return unused;
}

UNTRACED int main(void) {
  EXPECT_EQ(echo("p:probes/noise noise", "dynamic_events", 1), 0);
  EXPECT_EQ(tracefs_mkdir("instances/steady"), 0);
  EXPECT_EQ(echo("noise", "instances/steady/set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("function_graph", "instances/steady/current_tracer", 0), 0);
  EXPECT_EQ(echo("noise", "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  pthread_t threads[5];
  for (long i = 0; i < 5; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, i < 3 ? make_and_remove : make_noise, (void *)i), 0);
  for (int i = 0; i < 5; i++)
    pthread_join(threads[i], NULL);
  return failures;
}
