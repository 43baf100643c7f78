// An instance has its own lists of threads, of its tracer and of its events, and its own CPUs.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// CHECK: foo: leaf 2, other 1; probes 1 probes/seen
// CHECK: main: ; probes 3 probes/seen
#include "tree.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }

#define FOO "instances/foo/"

static sem_t begin, done;
static int there; // the thread's number

UNTRACED static void *run(void *unused) {
  there = (int)syscall(SYS_gettid);
  for (sem_post(&done); sem_wait(&begin) == 0; sem_post(&done))
    leaf();
  return unused;
}

// In the other thread.
UNTRACED static void call_there(void) {
  sem_post(&begin);
  sem_wait(&done);
}

// tracing_cpumask when there is none in it.
UNTRACED static const char *cpus(void) {
  static char text[4096];
  size_t bytes = 0;
  for (long digit = (sysconf(_SC_NPROCESSORS_CONF) + 3) / 4; digit-- > 0;) {
    text[bytes++] = '0';
    if (digit && digit % 8 == 0)
      text[bytes++] = ',';
  }
  strcpy(text + bytes, "\n");
  return text;
}

UNTRACED int main(void) {
  char it[32], all[32];
  pthread_t thread;
  sem_init(&begin, 0, 0), sem_init(&done, 0, 0);
  EXPECT_EQ(pthread_create(&thread, NULL, run, NULL), 0);
  sem_wait(&done);
  snprintf(it, sizeof it, "%d", there);
  snprintf(all, sizeof all, "%d", (int)getpid());
  EXPECT_EQ(echo("p:probes/seen leaf", "dynamic_events", 1), 0);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_TEXT(FOO "set_ftrace_pid", "no pid\n");
  EXPECT_TEXT(FOO "set_ftrace_notrace_pid", "no pid\n");
  EXPECT_TEXT(FOO "set_event_pid", "");
  EXPECT_EQ(echo("1 x", FOO "set_ftrace_pid", 1), -EINVAL);
  EXPECT_TEXT(FOO "set_ftrace_pid", "no pid\n");
  EXPECT_EQ(echo("1", FOO "set_ftrace_pid", 1), 0);
  EXPECT_EQ(echo("4000000", FOO "set_ftrace_pid", 1), 0);
  EXPECT_TEXT(FOO "set_ftrace_pid", "1\n4000000\n");
  EXPECT_TEXT("set_ftrace_pid", "no pid\n");
  EXPECT_EQ(echo("function", FOO "current_tracer", 0), 0);
  leaf(); // for nobody
  EXPECT_EQ(echo(all, FOO "set_ftrace_pid", 0), 0);
  EXPECT_EQ(echo("leaf other", FOO "set_ftrace_filter", 0), 0);
  EXPECT_EQ(echo("function_graph", FOO "current_tracer", 0), 0);
  EXPECT_EQ(echo(it, FOO "set_ftrace_notrace_pid", 0), 0);
  other();      // foo
  call_there(); // a thread in both is not wanted
  EXPECT_EQ(echo("", FOO "set_ftrace_notrace_pid", 0), 0);
  EXPECT_EQ(echo("0", FOO "tracing_cpumask", 0), 0);
  leaf();
  EXPECT_EQ(echo("nonsense", FOO "tracing_cpumask", 0), -EINVAL);
  EXPECT_TEXT(FOO "tracing_cpumask", cpus());
  EXPECT(strcmp(cat("tracing_cpumask"), cpus()) != 0);
  EXPECT_EQ(echo("ffffffff", FOO "tracing_cpumask", 0), 0);
  EXPECT_EQ(echo(it, FOO "set_ftrace_pid", 0), 0);
  leaf();
  call_there(); // foo
  call_there(); // foo
  EXPECT_EQ(echo("nop", FOO "current_tracer", 0), 0);

  EXPECT_EQ(echo(it, FOO "set_event_notrace_pid", 1), 0);
  EXPECT_TEXT(FOO "set_event_notrace_pid", strcat(it, "\n"));
  EXPECT_TEXT("set_event_notrace_pid", "");
  EXPECT_EQ(echo("1", FOO "events/probes/seen/enable", 0), 0);
  EXPECT_EQ(echo("1", "events/probes/seen/enable", 0), 0);
  leaf();       // both
  call_there(); // main
  EXPECT_EQ(echo("1", FOO "set_event_pid", 0), 0);
  leaf(); // main
  EXPECT_EQ(echo("0", "events/enable", 0), 0);
  EXPECT_EQ(echo("0", FOO "events/enable", 0), 0);
  return failures;
}
