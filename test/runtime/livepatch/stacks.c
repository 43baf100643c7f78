// A thread's own stack, alternate stack and fiber count together: what any of them holds delays the thread, stale words
// included, and no more than that. A thread that sleeps on an alternate stack or a fiber is changed over without being woken.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kStackBytes = 1 << 16 };
static int ends[2], inside, result;
static ucontext_t own, fiber;
UNTRACED __attribute__((noinline)) static void sleep_here(void) {
  char byte;
  set(&inside, 1);
  EXPECT(read(ends[0], &byte, 1) == 1);
}
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
// Continues on the fiber, with this function on the own stack.
NOINLINE int stays(void) { int n = 10; swapcontext(&own, &fiber); KEEP(&n); return n + half(); }
NOINLINE int new_stays(void) { int n = 20; KEEP(&n); return n + half(); }
PATCH(patch, FUNC(half, new_half), FUNC(stays, new_stays));

// Between pages that cannot be read: what lies beside it would count.
UNTRACED static void *map_stack(void) {
  char *stack = mmap(NULL, 3 * kStackBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(mprotect(stack + kStackBytes, kStackBytes, PROT_READ | PROT_WRITE), 0);
  return stack + kStackBytes;
}
static int on_fiber;
UNTRACED static void sleep_on_fiber(void) {
  sleep_here();
  on_fiber = half();
}
UNTRACED static void make_fiber(void (*function)(void)) {
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = map_stack();
  fiber.uc_stack.ss_size = kStackBytes;
  fiber.uc_link = &own;
  makecontext(&fiber, function, 0);
}
UNTRACED static void *with_fiber(void *unused) {
  make_fiber(sleep_on_fiber);
  result = stays();
  return unused;
}
UNTRACED static void *only_fiber(void *unused) {
  make_fiber(sleep_on_fiber);
  swapcontext(&own, &fiber);
  result = half();
  return unused;
}
UNTRACED static void on_signal(int number) {
  (void)number;
  sleep_on_fiber();
}
UNTRACED static void *in_handler(void *unused) {
  stack_t alternate = {.ss_sp = map_stack(), .ss_size = kStackBytes};
  EXPECT_EQ(sigaltstack(&alternate, NULL), 0);
  raise(SIGUSR1);
  result = half();
  return unused;
}
// A handler that has interrupted a fiber: where that lies, nobody knows but its frame.
UNTRACED static void raise_on_fiber(void) {
  raise(SIGUSR1);
}
UNTRACED static void *in_handler_on_fiber(void *unused) {
  stack_t alternate = {.ss_sp = map_stack(), .ss_size = kStackBytes};
  EXPECT_EQ(sigaltstack(&alternate, NULL), 0);
  make_fiber(raise_on_fiber);
  swapcontext(&own, &fiber);
  result = half();
  return unused;
}
UNTRACED static void check(void *(*run)(void *), int waits, int then) {
  pthread_t thread;
  set(&inside, 0);
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  if (waits) {
    int tids[2];
    do
      pause_briefly();
    while (klp_pending_threads(tids, 2) != 1 || tids[0] == getpid());
    for (int i = 0; i < 50; i++, pause_briefly())
      EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  } else {
    wait_for_patch(&patch);
  }
  EXPECT(write(ends[1], "", 1) == 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(on_fiber, waits ? then / 10 != 1 : 1);
  EXPECT_EQ(result, then);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
}
// A word in a frame that still lives, which nobody will return to.
UNTRACED __attribute__((noinline)) static void keep_word(void) {
  uint64_t word = (uint64_t)(void *)half + 12;
  KEEP(&word);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int i = 0; i < 50; i++, pause_briefly()) {
    EXPECT_EQ(half(), 0);
    EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  }
  word = 0;
  KEEP(&word);
  EXPECT_EQ(half(), 1);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
}

UNTRACED int main(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  EXPECT_EQ(pipe(ends), 0);
  check(only_fiber, 0, 1);
  check(in_handler, 0, 1);
  check(in_handler_on_fiber, 1, 1);
  check(with_fiber, 1, 10);
  keep_word();
  return failures;
}
