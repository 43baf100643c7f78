// set_ftrace_pid takes a single thread by its id while others run, in C and in C++; set_ftrace_notrace_pid all but one.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t && %show --count %t.buf | FileCheck %s
// RUN: %traced_cxx -x c++ -O1 %s -o %t %linked && %trace_linked -p '' -- %t && %show --count %t.buf | FileCheck %s
#include "../tracefs/tree.h"
#include <ftrace.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif
NOINLINE void by_main(void) { KEEP(0); }
NOINLINE void by_one(void) { KEEP(0); }
NOINLINE void by_other(void) { KEEP(0); }
#ifdef __cplusplus
}
#endif

struct task {
  void (*work)(void);
  pid_t tid;
};
static pthread_barrier_t barrier;

// Each works once between two barriers, three times.
UNTRACED static void *body(void *argument) {
  struct task *task = (struct task *)argument;
  task->tid = gettid();
  for (int i = 0; i < 3; i++) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    task->work();
  }
  return NULL;
}

UNTRACED static void round_of(const char *file, int tid, const char *tracer) {
  char text[32];
  pthread_barrier_wait(&barrier);
  snprintf(text, sizeof text, "%d", tid);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(echo("", "set_ftrace_pid", 0), 0);
  EXPECT_EQ(echo(text, file, 0), 0);
  EXPECT(strncmp(cat(file), text, strlen(text)) == 0);
  EXPECT_EQ(tracing_set_tracer(tracer), 0);
  pthread_barrier_wait(&barrier);
  by_main();
}

UNTRACED int main(void) {
  struct task tasks[] = {{by_one, 0}, {by_other, 0}};
  pthread_t ids[2];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 2; i++)
    pthread_create(&ids[i], NULL, body, &tasks[i]);
  pthread_barrier_wait(&barrier); // now they have their ids, and wait
  char text[32];
  snprintf(text, sizeof text, "%d", tasks[0].tid);
  EXPECT_EQ(echo(text, "set_ftrace_pid", 0), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  pthread_barrier_wait(&barrier);
  by_main();
  round_of("set_ftrace_pid", tasks[1].tid, "function_graph");
  round_of("set_ftrace_notrace_pid", tasks[1].tid, "function");
  for (int i = 0; i < 2; i++)
    pthread_join(ids[i], NULL);
  return failures;
}
// CHECK-DAG: by_main: 1 function
// CHECK-DAG: by_one: 2 function
// CHECK-DAG: by_other: 1 entry, 1 exit
