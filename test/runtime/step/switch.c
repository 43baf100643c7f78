// The tracer may be changed while a thread stands at any instruction between a site and the body:
// the body runs once, whatever tracer the thread meets on its way.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -l through,copied,only,tailing,target -k 4096 -- %t
#include "step.h"
#include <ftrace.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>

static long bodies, switch_at, steps_in_thunks;
static const char *wanted;
NOINLINE long through(long a) { return bodies++, a + 1; }
NOINLINE long copied(long a, long b, long c, long d, long e, long f, long g, long h) {
  return bodies++, a + b + c + d + e + f + g * h;
}
NOINLINE long only(long n, ...) {
  va_list list;
  va_start(list, n);
  n += va_arg(list, long);
  va_end(list);
  return bodies++, n;
}
NOINLINE long target(long a) { return bodies++, a * 2; }
NOINLINE long tailing(long a) {
  bodies++;
  __attribute__((musttail)) return target(a + 1);
}
// Another thread changes the tracer: it must not be done in a signal handler.
static sem_t asked, done;
UNTRACED static void *change(void *unused) {
  for (sem_wait(&asked); *wanted; sem_wait(&asked)) {
    EXPECT_EQ(tracing_set_tracer(wanted), 0);
    sem_post(&done);
  }
  return unused;
}
UNTRACED static void tracer(const char *name) {
  wanted = name;
  sem_post(&asked);
  if (*name)
    sem_wait(&done);
}
static const char *next;
UNTRACED static void visit(ucontext_t *context, long step) {
  unsigned char *ip = (unsigned char *)context->uc_mcontext.gregs[REG_RIP];
  steps_in_thunks += *ip == 0x68 || memcmp(ip, "\xff\x25", 2) == 0;
  if (step == switch_at)
    tracer(next);
}
typedef long Callee(long, long, long, long, long, long, long, long);

UNTRACED int main(void) {
  struct {
    Callee *callee;
    long result, bodies;
  } cases[] = {{(void *)through, 2, 1}, {copied, 77, 1}, {(void *)only, 3, 1}, {(void *)tailing, 4, 2}};
  static const char *const kTracers[] = {"nop", "function", "function_graph"};
  pthread_t thread;
  sem_init(&asked, 0, 0), sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, change, NULL);
  step_with(visit);
  for (int i = 0; i < 4; i++)
    for (int from = 0; from < 3; from++)
      for (int to = 0; to < 3; to++) {
        long length = from != to && (i == 1 || from + to == 3);
        for (switch_at = 0; switch_at < length; switch_at++) {
          tracer(kTracers[from]);
          next = kTracers[to];
          step_count = bodies = 0;
          STEP_BEGIN();
          long result = cases[i].callee(1, 2, 3, 4, 5, 6, 7, 8);
          STEP_END();
          EXPECT_EQ(result, cases[i].result);
          EXPECT_EQ(bodies, cases[i].bodies);
          length = step_count;
        }
      }
  tracer("");
  pthread_join(thread, NULL);
  EXPECT(steps_in_thunks > 1000);
  return failures != 0;
}
