// A thread that has read the target and is about to change over when the patch is turned round does not: at
// each step of the trampoline, the patch is gone, and the call runs the original. And a thread that goes on in an
// old version counts that, so that the driver, which has looked before, cannot change it over.
// RUN: %traced_cxx -O1 -I%S/../../../runtime %s -o %t %static && %t
#include "klp.h"
#include "livepatch/tasks.h"
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

extern "C" {
#include "step.h"
NOINLINE int version() { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version() { int n = 2; KEEP(&n); return n; }
}
static klp_func funcs[2];
static klp_object objects[2];
static klp_patch patch;

static long stop_at, decided_at;
static int wanted, done; // rounds that the other thread has been asked for, and has done
static bool is_gone;
static uint32_t now;
UNTRACED static bool has_decided() {
  nophook::TaskState state = nophook::this_task()->load();
  return state.transition() == now && state.side();
}
UNTRACED static void visit(ucontext_t *, long step) {
  if (has_decided() && !decided_at)
    decided_at = step;
  if (step != stop_at || has_decided())
    return;
  set(&wanted, wanted + 1); // has it turned round, and it ends, since this thread is on that side
  wait_until(&done, wanted);
  is_gone = true;
}
UNTRACED static void *turn(void *unused) {
  for (;;) {
    while (__atomic_load_n(&wanted, __ATOMIC_ACQUIRE) == done)
      pause_briefly(); // a thread that runs would have to change over by itself
    if (wanted < 0)
      return unused;
    disable_and_wait(&patch);
    set(&done, wanted);
  }
}
// The frames of the handler, which later calls would have in theirs, show every address.
UNTRACED __attribute__((noinline)) static void forget_frames() {
  char frames[1 << 15];
  memset(frames, 0, sizeof frames);
  KEEP(frames);
}
UNTRACED static int stepped(long step) {
  stop_at = step;
  step_count = 0;
  is_gone = false;
  decided_at = 0;
  STEP_BEGIN();
  int result = version();
  STEP_END();
  forget_frames();
  return result;
}
UNTRACED __attribute__((noinline)) static void check_count() {
  int (*volatile inside)() = new_version;
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  wait_for_patch(&patch);
  EXPECT_EQ(klp_disable_patch(&patch), 0); // leaves new_version(), which is on this stack
  nophook::TaskState before = nophook::this_task()->load();
  EXPECT_EQ(version(), 2);
  EXPECT((nophook::this_task()->load().word & before.kCount) != (before.word & before.kCount));
  inside = nullptr;
  wait_for_patch(&patch);
  (void)inside;
}

UNTRACED static void *run(void *unused) {
  step_with(visit);
  long most = 1, stopped = 0;
  for (long step = -1, tries = 0; step < most && tries < 1000; tries++) {
    now++;
    EXPECT_EQ(klp_enable_patch(&patch), 0);
    const bool is_late = has_decided(); // it has slept for the lock, and the driver has seen it
    int result = stepped(step);
    EXPECT_EQ(result, is_gone ? 1 : 2);
    stopped += is_gone;
    if (!is_gone) {
      wait_for_patch(&patch);
      now++;
      disable_and_wait(&patch);
    }
    if (is_late)
      continue;
    if (step < 0)
      most = decided_at;
    step += step < 0 ? 1 : 1 + most / 24;
  }
  EXPECT(most > 50 && stopped > 12);
  return unused;
}

// No caller that waits may have the address in a register that is saved.
UNTRACED __attribute__((noinline)) static void prepare() {
  funcs[0].old_name = "version", funcs[0].new_func = (void *)new_version;
  objects[0].funcs = funcs;
  patch.objs = objects;
}

UNTRACED int main() {
  prepare();
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, turn, nullptr);
  pthread_create(&threads[1], nullptr, run, nullptr);
  pthread_join(threads[1], nullptr);
  set(&wanted, -1);
  pthread_join(threads[0], nullptr);
  check_count();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
