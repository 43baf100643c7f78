// Two threads that find no free record at the same time share those of threads that have ended, at whatever instruction of the one the other comes in between: no memory is mapped.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %t
#include "ops.h"
#include "step.h"
#include <pthread.h>
#include <semaphore.h>

// The pool begins with 64 records (ops/thread.cpp). The records of 63 threads that have ended and
// the first thread's fill it.
enum { kOthers = 63, kStride = 8, kSteps = 1600 };
static struct Counted counted = COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE);
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t full;
static pthread_attr_t small;
static long wanted, visits;
static sem_t asked, answered;
NOINLINE static void called(void) { KEEP(0); }

UNTRACED static void *fill(void *unused) {
  pthread_mutex_lock(&turn);
  called();
  pthread_mutex_unlock(&turn);
  pthread_barrier_wait(&full);
  return unused;
}
UNTRACED static void *come_between(void *unused) {
  sem_wait(&asked);
  called();
  sem_post(&answered);
  return unused;
}
UNTRACED static void visit(ucontext_t *context, long step) {
  if (step != wanted)
    return;
  visits++;
  sem_post(&asked);
  sem_wait(&answered);
  context->uc_mcontext.gregs[REG_EFL] &= ~0x100; // the rest need not be stepped
}
UNTRACED static void *stepped(void *unused) {
  const long before = visits;
  step_count = 0;
  STEP_BEGIN();
  called();
  STEP_END();
  if (visits == before)
    sem_post(&asked); // it has had fewer instructions than that
  return unused;
}
// In kilobytes, whether used or not.
UNTRACED static long mapped(void) {
  long pages = -1;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file && fscanf(file, "%ld", &pages) == 1);
  fclose(file);
  return pages * 4;
}
UNTRACED static void run_threads(void *(*first)(void *), void *(*others)(void *), int count) {
  pthread_t threads[kOthers];
  for (int i = 0; i < count; i++)
    EXPECT_EQ(pthread_create(&threads[i], &small, i ? others : first, NULL), 0);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

UNTRACED int main(void) {
  long before = 0;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 << 10); // libc keeps as many of these as there are
  pthread_barrier_init(&full, NULL, kOthers);
  sem_init(&asked, 0, 0);
  sem_init(&answered, 0, 0);
  step_with(visit);
  EXPECT_EQ(set_filter(&counted.ops, "called", 1), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  called();
  for (wanted = 0; wanted < kSteps; wanted += kStride) {
    run_threads(fill, fill, kOthers);
    run_threads(come_between, stepped, 2);
    if (!before)
      before = mapped();
    if (mapped() != before)
      printf("grown at step %ld\n", wanted), before = mapped(), failures++;
  }
  EXPECT_EQ(visits, kSteps / kStride);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  return failures != 0;
}
