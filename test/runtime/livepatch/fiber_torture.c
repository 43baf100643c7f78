// Fibers that threads hand to each other check in each call tree, which waits in its middle, that two functions which
// change together are both old or both new, and that no fiber goes back within a transition, while patches come, go,
// and turn round, and fibers end and begin.
// RUN: %traced_cc -O1 %s -o %t %linked && %t %fiber_rounds
// RUN: env NOPHOOK_POKE=skip %t 200
#include "klp_fibers.h"
#include <pthread.h>

enum { kFibers = 24, kWorkers = 3, kTreesOfFiber = 50 };
struct Tree { int outer, inner, deeper; };
UNTRACED static void yield(void);
NOINLINE void inner(struct Tree *t) { t->inner = 0; KEEP(t); }
NOINLINE void new_inner(struct Tree *t) { t->inner = 1; KEEP(t); }
NOINLINE void outer(struct Tree *t);
#define OUTER(name, number)                                                                        \
  NOINLINE void name(struct Tree *t) {                                                             \
    t->outer = number;                                                                             \
    if (t->deeper-- > 0) {                                                                         \
      yield();                                                                                     \
      struct Tree below = {.deeper = t->deeper};                                                   \
      outer(&below);                                                                               \
      if (below.outer != number || below.inner != number)                                          \
        t->outer = 99;                                                                             \
    }                                                                                              \
    inner(t); /* not by a jump, which leaves this function first */                                \
    KEEP(t);                                                                                       \
  }
OUTER(outer, 0)
OUTER(new_outer, 1)
PATCH(patch, FUNC(outer, new_outer), FUNC(inner, new_inner));

struct Job { struct Fiber fiber; int is_over; struct Job *next; };
struct Worker { struct Fiber own; struct Job *job; };
static struct Job jobs[kFibers], *ready;
static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
static int over, broken, epoch;
static long trees, begun;
static __thread struct Worker *this_worker;
// A fiber goes on in another thread: nothing of this is kept over a switch.
UNTRACED __attribute__((noinline)) static struct Worker *worker(void) {
  __asm__ volatile("" ::: "memory");
  return this_worker;
}
UNTRACED static void yield(void) { switch_fiber(&worker()->job->fiber, &worker()->own); }

// `epoch` is odd while a call begins a transition or turns one round. While it is even and stays the same, a fiber
// changes over once at most.
struct Last { int epoch, version, has_changed; };
UNTRACED static void check_in_order(int deeper, struct Last *last) {
  int before = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST);
  struct Tree tree = {.deeper = deeper};
  outer(&tree);
  if (tree.outer != tree.inner && !__atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED))
    printf("outer %d, inner %d\n", tree.outer, tree.inner);
  __atomic_fetch_add(&trees, 1, __ATOMIC_RELAXED);
  if (before % 2 || __atomic_load_n(&epoch, __ATOMIC_SEQ_CST) != before) {
    last->epoch = -1;
    return;
  }
  int goes = last->epoch == before && tree.outer != last->version;
  if (goes && last->has_changed && !__atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED))
    printf("a fiber goes back from %d to %d\n", last->version, tree.outer);
  *last = (struct Last){before, tree.outer, last->epoch == before && (last->has_changed || goes)};
}
UNTRACED static void body(void) {
  klp_fiber_finish_switch();
  struct Last last = {.epoch = -1};
  for (int i = 0; i < kTreesOfFiber; i++) {
    check_in_order(i % 4, &last);
    yield();
  }
  worker()->job->is_over = 1;
  klp_fiber_start_switch(NULL);
  setcontext(&worker()->own.place);
}
UNTRACED static void begin_fiber(struct Job *job) {
  job->is_over = 0;
  make_fiber(&job->fiber, body, &job->fiber); // the further facts come from body()
  __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
}
UNTRACED static struct Job *take_job(void) {
  pthread_mutex_lock(&ready_lock);
  struct Job *job = ready;
  if (job)
    ready = job->next;
  pthread_mutex_unlock(&ready_lock);
  return job;
}
UNTRACED static void put_job(struct Job *job) {
  pthread_mutex_lock(&ready_lock);
  struct Job **last = &ready;
  while (*last)
    last = &(*last)->next;
  *last = job;
  job->next = NULL;
  pthread_mutex_unlock(&ready_lock);
}
UNTRACED static void *work(void *unused) {
  struct Worker mine = {.job = NULL};
  this_worker = &mine;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED) || ready) {
    struct Job *job = take_job();
    if (!job) {
      pause_briefly();
      continue;
    }
    mine.job = job;
    switch_fiber(&mine.own, &job->fiber);
    if (job->is_over) {
      end_fiber(&job->fiber);
      if (__atomic_load_n(&over, __ATOMIC_RELAXED))
        continue;
      begin_fiber(job);
    }
    put_job(job);
  }
  return unused;
}
UNTRACED static int change(int (*call)(struct klp_patch *)) {
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  int error = call(&patch);
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  return error;
}
// The transition may have ended already.
UNTRACED static void turn_round(int (*turn)(struct klp_patch *)) {
  int error = change(turn);
  EXPECT(error == 0 || error == -EBUSY || error == -EINVAL);
}

// [TRANSITIONS]
UNTRACED int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 200, transitions = 0;
  pthread_t threads[kWorkers];
  for (int i = 0; i < kFibers; i++) {
    begin_fiber(&jobs[i]);
    put_job(&jobs[i]);
  }
  for (int i = 0; i < kWorkers; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int round = 0; transitions < rounds && !broken && !failures; round++) {
    int is_on = klp_patch_status(&patch) == KLP_ENABLED;
    EXPECT_EQ(change(is_on ? klp_disable_patch : klp_enable_patch), 0);
    if (round % 3 == 0)
      turn_round(is_on ? klp_enable_patch : klp_disable_patch);
    if (round % 6 == 0)
      turn_round(is_on ? klp_disable_patch : klp_enable_patch);
    wait_for_patch(&patch);
    transitions++;
  }
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  if (klp_patch_status(&patch) == KLP_ENABLED)
    disable_and_wait(&patch);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kWorkers; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(broken, 0);
  EXPECT(trees > 0);
  EXPECT_EQ(text_differing(), 0);
  printf("%d transitions, %ld trees, %ld fibers\n", transitions, trees, begun);
  return failures;
}
