// Eight threads check in each call tree that two functions which change together are both old or both
// new, and that no thread goes back within a transition, while patches come, go, turn round and are
// replaced, and tracers are toggled.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked --seconds 600 -p '' -- %t 10000 %patch_quick
// RUN: env NOPHOOK_POKE=skip %trace_linked --seconds 600 -p '' -- %t 1000 %patch_quick
// RUN: %trace_linked --seconds %patch_limit -p '' -- %t %patch_rounds %patch_seconds yield
#include "klp.h"
#include <ftrace.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

// A version of the pair is a number that both halves put into what the caller gives them.
struct Tree { int outer, inner, again; };
NOINLINE void inner(struct Tree *t) { t->inner = 0; KEEP(t); }
NOINLINE void inner_1(struct Tree *t) { t->inner = 1; KEEP(t); }
NOINLINE void inner_2(struct Tree *t) { t->inner = 2; KEEP(t); }
#define OUTER(name, number)                                                                        \
  NOINLINE void name(struct Tree *t) {                                                             \
    t->outer = number;                                                                    \
    inner(t);                                                                             \
    if (t->again-- > 0) {                                                                          \
      t->again ? (void)sched_yield() : pause_briefly();                                                  \
      struct Tree below = {.again = 0};                                                            \
      outer(&below);                                                                               \
      if (below.outer != number || below.inner != number)                                          \
        t->inner = 99;                                                                             \
    }                                                                                              \
    inner(t); /* not by a jump, which leaves this function first */                                \
    KEEP(t);                                                                                       \
  }
NOINLINE void outer(struct Tree *t);
OUTER(outer, 0)
OUTER(outer_1, 1)
OUTER(outer_2, 2)
PATCH(one, FUNC(outer, outer_1), FUNC(inner, inner_1));
PATCH(two, FUNC(outer, outer_2), FUNC(inner, inner_2));

static int over, broken, yields;
static long trees;
UNTRACED static int check(int again, const char *who) {
  struct Tree tree = {.again = again};
  outer(&tree);
  if (tree.outer != tree.inner && !__atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED))
    printf("%s: outer %d, inner %d\n", who, tree.outer, tree.inner);
  return tree.outer;
}
// Odd during each call that begins a transition or turns one round. While it is even and stays the same, a thread
// changes over once at most.
static int epoch;
UNTRACED static int change(int (*call)(struct klp_patch *), struct klp_patch *patch) {
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  int error = call(patch);
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  return error;
}
UNTRACED static void change_back(struct klp_patch *patch) {
  EXPECT_EQ(change(klp_disable_patch, patch), 0);
  wait_for_patch(patch);
}
struct Last { int epoch, version, has_changed; };
UNTRACED static void check_in_order(int again, struct Last *last) {
  int before = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST), version = check(again, "a thread");
  if (before % 2 || __atomic_load_n(&epoch, __ATOMIC_SEQ_CST) != before) {
    last->epoch = -1;
    return;
  }
  int goes = last->epoch == before && version != last->version;
  if (goes && last->has_changed && !__atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED))
    printf("a thread goes back from %d to %d\n", last->version, version);
  *last = (struct Last){before, version, last->epoch == before && (last->has_changed || goes)};
}
UNTRACED static void on_signal(int number) { (void)number; check(0, "a handler"); }
UNTRACED static void *run(void *raw) {
  long kind = (long)raw;
  stack_t alternate = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  if (kind % 2)
    sigaltstack(&alternate, NULL);
  struct Last last = {.epoch = -1};
  for (unsigned done = 0; !__atomic_load_n(&over, __ATOMIC_RELAXED); done++) {
    check_in_order((int)(kind % 3), &last);
    if (kind % 4 == 3)
      pause_briefly();
    else if (yields && done % (kind == 6 ? 4096 : 64) == 0)
      sched_yield();
    __atomic_fetch_add(&trees, 1, __ATOMIC_RELAXED);
  }
  alternate.ss_flags = SS_DISABLE;
  if (kind % 2)
    sigaltstack(&alternate, NULL);
  free(alternate.ss_sp);
  return NULL;
}
UNTRACED static void *one_tree(void *unused) { check(1, "a new thread"); return unused; }
UNTRACED static void *be_born(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, one_tree, NULL) == 0)
      pthread_join(thread, NULL);
  }
  return unused;
}
static pthread_t threads[10];
UNTRACED static void *toggle_tracers(void *unused) {
  static const char *const tracers[] = {"function", "nop", "function_graph", "nop", "profile", "nop", "hits", "nop"};
  for (int i = 0; !__atomic_load_n(&over, __ATOMIC_RELAXED); i++) {
    tracing_set_tracer(tracers[i % 8]);
    pthread_kill(threads[i % 8], SIGUSR1);
    pause_briefly();
  }
  tracing_set_tracer("nop");
  return unused;
}

// Within a transition of this patch a thread never goes back: this one, which makes the transition.
UNTRACED static void watch(const struct klp_patch *patch, int rounds) {
  int newest = -1;
  for (int i = 0; i < rounds && klp_patch_status(patch) & KLP_TRANSITION; i++) {
    struct Tree tree = {.again = 0};
    outer(&tree);
    if (newest >= 0 && tree.outer != newest)
      broken++, printf("from %d back to %d\n", newest, tree.outer);
    newest = tree.outer;
  }
}
UNTRACED static void turn(struct klp_patch *patch, int round) {
  EXPECT_EQ(change(klp_enable_patch, patch), 0);
  watch(patch, 20);
  if (round % 3 == 0) { // the transition may have ended already
    int error = change(klp_disable_patch, patch);
    EXPECT(error == 0 || error == -EBUSY);
    if (error == 0 && round % 2 == 0) {
      error = change(klp_enable_patch, patch);
      EXPECT(error == 0 || error == -EBUSY || error == -EINVAL);
    }
  }
  wait_for_patch(patch);
}

// [TRANSITIONS [SECONDS [yield]]]: that many transitions, or what the time is enough for. A transition waits until each
// thread has run, which takes as long as the time slices of those in front of it. With `yield` they give these up early,
// and more transitions meet a thread fewer times each.
UNTRACED int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 100;
  yields = count > 3;
  time_t end = count > 2 ? time(NULL) + atoi(arguments[2]) : 0;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  for (long i = 0; i < 8; i++)
    pthread_create(&threads[i], NULL, run, (void *)i);
  pthread_create(&threads[8], NULL, be_born, NULL);
  pthread_create(&threads[9], NULL, toggle_tracers, NULL);
  int transitions = 0;
  for (int round = 0; transitions < rounds && !failures && !broken && (!end || time(NULL) < end); round++) {
    turn(&one, round);
    transitions++;
    if (klp_patch_status(&one) != KLP_ENABLED)
      continue;
    two.replace = round % 2;
    turn(&two, round + 1);
    transitions++;
    if (klp_patch_status(&two) == KLP_ENABLED) {
      EXPECT_EQ(klp_patch_status(&one), two.replace ? 0 : KLP_ENABLED);
      change_back(&two);
      transitions++;
    }
    if (klp_patch_status(&one) == KLP_ENABLED) {
      change_back(&one);
      transitions++;
    }
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 9; i >= 0; i--) // first the one that signals the others
    pthread_join(threads[i], NULL);
  EXPECT_EQ(broken, 0);
  EXPECT(trees > 0);
  EXPECT_EQ(text_differing(), 0);
  printf("%d transitions, %ld trees\n", transitions, trees);
  return failures;
}
