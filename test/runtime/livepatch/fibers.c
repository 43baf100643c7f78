// A registered fiber has a side of its own, and so has the stack of the thread that runs it. A fiber that waits inside an
// old version is named, and goes on in old versions, whatever thread resumes it. A fiber that waits elsewhere is changed
// over, whatever earlier calls have left on its stack. At each step of a switch, a handler goes by what it has interrupted.
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t %linked -rdynamic && %t
#include "klp_fibers.h"
#include "tree.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static struct Fiber own, other_own, fiber;
static int stage, go;
// Asleep, so that nothing but what is on a stack keeps the thread from changing over.
UNTRACED static void pause_at(int number) {
  set(&stage, number);
  while (__atomic_load_n(&go, __ATOMIC_ACQUIRE) != number)
    pause_briefly();
}
UNTRACED __attribute__((noinline)) static void yield(void) { switch_fiber(&fiber, &own); }
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int stays(void (*inside)(void)) { int n = 10; inside(); KEEP(&n); return n + half(); }
NOINLINE int new_stays(void (*inside)(void)) { int n = 20; inside(); KEEP(&n); return n + half(); }
PATCH(patch, FUNC(half, new_half), FUNC(stays, new_stays));
#define PENDING "livepatch/program/pending_threads"

// On qemu this thread and qemu's own are named, too.
UNTRACED static void wait_for_pending(const char *text) {
  while (emulators_thread ? !strstr(cat(PENDING), text) : strcmp(cat(PENDING), text) != 0)
    pause_briefly();
}
UNTRACED static const char *fiber_that(const char *does) {
  static char line[256];
  snprintf(line, sizeof line, "fiber %016lx-%016lx %s\n", (unsigned long)fiber.stack, (unsigned long)fiber.stack + kFiberBytes, does);
  return line;
}
UNTRACED static void expect_that_it_stays(void) {
  for (int i = 0; i < 50; i++, pause_briefly())
    EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
}
UNTRACED static void begin(pthread_t *thread, void *(*run)(void *)) {
  set(&stage, 0);
  set(&go, 0);
  pthread_create(thread, NULL, run, NULL);
  wait_until(&stage, 1);
}
UNTRACED static void end(pthread_t thread, int number) {
  set(&go, number);
  pthread_join(thread, NULL);
  wait_for_patch(&patch);
  struct klp_fiber *pending;
  EXPECT_EQ(klp_pending_fibers(&pending, 1), 0);
  disable_and_wait(&patch);
}

// It waits inside: its thread changes over, and it does not. Another thread resumes it.
static int results[4];
static int is_child;
UNTRACED static void yield_and_pause(void) {
  yield();
  if (!is_child)
    pause_at(2);
}
UNTRACED static void wait_inside(void) {
  klp_fiber_finish_switch();
  results[0] = stays(yield_and_pause);
  results[1] = half();
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
static char runner[32];
UNTRACED static void *resume(void *unused) {
  snprintf(runner, sizeof runner, "runs in thread %d", (int)syscall(SYS_gettid));
  results[3] = half();
  switch_fiber(&own, &fiber);
  return unused;
}
UNTRACED static void *make_one_that_waits(void *unused) {
  make_fiber(&fiber, wait_inside, &own);
  switch_fiber(&own, &fiber);
  pause_at(1);
  results[2] = half();
  pthread_t thread;
  pthread_create(&thread, NULL, resume, NULL);
  pthread_join(thread, NULL);
  end_fiber(&fiber);
  return unused;
}
// qemu 7.2 aborts such a child when the runtime begins a thread in it.
UNTRACED static int status_of_child(void (*run)(void)) {
  if (emulators_thread)
    return 0;
  pid_t child = fork();
  is_child = !child;
  if (is_child) {
    run();
    wait_for_patch(&patch);
    _exit(failures + half() != 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}
UNTRACED static void resume_in_child(void) { // where the thread that made it is not there
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  wait_for_pending(fiber_that("waits in stays"));
  resume(NULL);
  EXPECT_EQ(results[0], 10);
  EXPECT_EQ(results[1], 1);
  EXPECT_EQ(results[3], 1);
}
UNTRACED static void do_nothing(void) {}
UNTRACED static void check_inside(void) {
  pthread_t thread;
  begin(&thread, make_one_that_waits);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  wait_for_pending(fiber_that("waits in stays"));
  struct klp_fiber *pending[2];
  EXPECT_EQ(klp_pending_fibers(pending, 2), 1);
  EXPECT(pending[0] == fiber.known);
  expect_that_it_stays();
  EXPECT_EQ(status_of_child(resume_in_child), 0);
  set(&go, 1);
  wait_until(&stage, 2);
  wait_for_pending(fiber_that(runner));
  EXPECT_EQ(status_of_child(do_nothing), 0); // the thread that runs it is not there, so it never goes on
  end(thread, 2);
  EXPECT_EQ(results[0], 10); // old, of one side
  EXPECT_EQ(results[1], 1);
  EXPECT_EQ(results[2], 1);
  EXPECT_EQ(results[3], 1);
}

// It waits outside, and below is what calls have left.
UNTRACED __attribute__((noinline)) static void leave_words(void) {
  uint64_t words[64];
  for (int i = 0; i < 64; i++)
    words[i] = (uint64_t)(void *)stays + 12;
  KEEP(words);
}
UNTRACED __attribute__((noinline)) static void wait_outside(void) {
  klp_fiber_finish_switch();
  leave_words();
  yield();
  results[0] = half();
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
UNTRACED static void *make_one_that_is_idle(void *unused) {
  make_fiber(&fiber, wait_outside, &own);
  switch_fiber(&own, &fiber);
  pause_at(1);
  switch_fiber(&own, &fiber);
  end_fiber(&fiber);
  return unused;
}
UNTRACED static void check_outside(void) {
  pthread_t thread;
  begin(&thread, make_one_that_is_idle);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  while (strncmp(cat(PENDING), "fiber", 5) == 0) // changed over without being resumed
    pause_briefly();
  end(thread, 1);
  EXPECT_EQ(results[0], 1);
}

// The thread's own stack waits inside, and the fiber runs, or sleeps.
static int ends[2];
UNTRACED static void enter_fiber(void) { switch_fiber(&own, &fiber); }
UNTRACED static void sleep_on_fiber(void) {
  klp_fiber_finish_switch();
  set(&stage, 1);
  char byte;
  EXPECT(read(ends[0], &byte, 1) == 1);
  results[0] = half();
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
UNTRACED static void *run_inside(void *unused) {
  make_fiber(&fiber, sleep_on_fiber, &own);
  results[1] = stays(enter_fiber);
  results[2] = half();
  end_fiber(&fiber);
  return unused;
}
UNTRACED static void check_own_stack(void) {
  pthread_t thread;
  begin(&thread, run_inside);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  int tids[2];
  do
    pause_briefly();
  while (pending_threads(tids, 2) != 1 || tids[0] == getpid());
  if (!emulators_thread) { // the sleeper is changed over
    char line[32];
    snprintf(line, sizeof line, "%d\n", tids[0]);
    wait_for_pending(line);
  }
  expect_that_it_stays();
  EXPECT(write(ends[1], "", 1) == 1);
  end(thread, 1);
  EXPECT_EQ(results[0], 1);
  EXPECT_EQ(results[1], 10);
  EXPECT_EQ(results[2], 1);
}

// Handlers on an alternate stack: on the fiber, which is inside, and on the two sides of a switch from a stack that
// has changed over to the fiber, and back.
static int in_handler;
UNTRACED static void on_signal(int number) { (void)number; in_handler = half(); }
UNTRACED static int handled(void) {
  in_handler = -1;
  raise(SIGUSR1);
  return in_handler;
}
UNTRACED __attribute__((noinline)) static void yield_by_steps(void) {
  EXPECT_EQ(klp_patch_status(&patch), 0);
  klp_fiber_start_switch(NULL);
  swapcontext(&fiber.place, &own.place);
  results[0] = handled(); // on the fiber, in front of the call that says so
  klp_fiber_finish_switch();
  results[1] = handled();
  klp_fiber_start_switch(NULL);
  results[2] = handled();
  swapcontext(&fiber.place, &own.place);
  klp_fiber_finish_switch();
}
UNTRACED static void wait_inside_by_steps(void) {
  klp_fiber_finish_switch();
  EXPECT_EQ(stays(yield_by_steps), 10);
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
UNTRACED static void *handle_by_steps(void *unused) {
  stack_t alternate = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  EXPECT_EQ(sigaltstack(&alternate, NULL), 0);
  make_fiber(&fiber, wait_inside_by_steps, &own);
  switch_fiber(&own, &fiber);
  pause_at(1);
  EXPECT_EQ(half(), 1);
  klp_fiber_start_switch(fiber.known);
  EXPECT_EQ(handled(), 1); // still on the own stack
  swapcontext(&own.place, &fiber.place);
  EXPECT_EQ(handled(), 1); // again
  klp_fiber_finish_switch();
  switch_fiber(&own, &fiber);
  end_fiber(&fiber);
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, NULL);
  free(alternate.ss_sp);
  return unused;
}
UNTRACED static void check_handlers(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  begin(&thread, handle_by_steps);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  wait_for_pending(fiber_that("waits in stays"));
  end(thread, 1);
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(results[i], 0);
}

// Between the call that announces a switch and the switch, a handler may be inside.
UNTRACED static void spin(void) { pause_at(1); }
UNTRACED static void on_same_stack(int number) {
  (void)number;
  results[0] = stays(spin);
}
UNTRACED static void end_at_once(void) {
  klp_fiber_finish_switch();
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
UNTRACED static void *handle_in_a_switch(void *unused) {
  make_fiber(&fiber, end_at_once, &own);
  klp_fiber_start_switch(fiber.known);
  raise(SIGUSR2);
  swapcontext(&own.place, &fiber.place);
  klp_fiber_finish_switch();
  end_fiber(&fiber);
  return unused;
}
UNTRACED static void check_switch(void) {
  struct sigaction action = {.sa_handler = on_same_stack};
  sigaction(SIGUSR2, &action, NULL);
  pthread_t thread;
  begin(&thread, handle_in_a_switch);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  expect_that_it_stays();
  end(thread, 1);
  EXPECT_EQ(results[0], 10);
}

// A thread is slow to say that it has left the fiber, and another one runs it, inside.
static int taken;
UNTRACED __attribute__((noinline)) static void call_deep(void) {
  char below[4096];
  memset(below, 0, sizeof below);
  KEEP(below);
  results[0] = stays(spin);
  KEEP(below);
}
UNTRACED static void be_taken(void) {
  klp_fiber_finish_switch();
  yield();
  call_deep();
  klp_fiber_start_switch(NULL);
  setcontext(&other_own.place);
}
UNTRACED static void *take(void *unused) {
  wait_until(&taken, 1);
  switch_fiber(&other_own, &fiber);
  return unused;
}
UNTRACED static void *leave_slowly(void *unused) {
  make_fiber(&fiber, be_taken, &own);
  klp_fiber_start_switch(fiber.known);
  swapcontext(&own.place, &fiber.place);
  set(&taken, 1);
  wait_until(&stage, 1);
  klp_fiber_finish_switch();
  set(&taken, 2);
  return unused;
}
UNTRACED static void check_slow_switch(void) {
  pthread_t thread, taker;
  set(&stage, 0);
  set(&go, 0);
  pthread_create(&taker, NULL, take, NULL);
  pthread_create(&thread, NULL, leave_slowly, NULL);
  wait_until(&taken, 2);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  expect_that_it_stays();
  set(&go, 1);
  pthread_join(thread, NULL);
  end(taker, 1);
  EXPECT_EQ(results[0], 10);
  end_fiber(&fiber);
}

UNTRACED int main(void) {
  EXPECT_EQ(pipe(ends), 0);
  check_inside();
  check_outside();
  check_own_stack();
  check_handlers();
  check_switch();
  check_slow_switch();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
