// The runtime takes a client's verdict on a running thread. It refuses one if, since the thread's state was read, the thread
// has called an old version or the patch has been reversed, and one that was made with another list of code.
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t %linked && %t
#include "klp.h"
#include "tree.h" // in test/runtime/tracefs
#include <pthread.h>
#include <sys/syscall.h>

static int leave, calls, called, tid;
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
// Runs for ever, and calls version() when it is asked to. As a caller it is of the old side.
UNTRACED static int spin(void) {
  int result = 0;
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    if (__atomic_load_n(&calls, __ATOMIC_ACQUIRE) != called) {
      result = version();
      set(&called, called + 1);
    }
  return result;
}
NOINLINE int holds(void) { int n = spin(); KEEP(&n); return n; }
NOINLINE int new_holds(void) { int n = 0; KEEP(&n); return n; }
PATCH(patch, FUNC(version, new_version), FUNC(holds, new_holds));

UNTRACED static void *run(void *holding) {
  set(&tid, (int)syscall(SYS_gettid));
  if (holding)
    holds();
  else
    spin();
  return NULL;
}

// The thread's line in the file, as a verdict; the empty text: it is not waited for.
UNTRACED static const char *verdict(void) {
  static char text[128];
  unsigned long look = 0, state = 0;
  int listed = 0;
  text[0] = 0;
  for (const char *line = cat("livepatch/looks"); *line; line = strchr(line, '\n') + 1) {
    sscanf(line, "look %lx", &look);
    if (sscanf(line, "thread %d %lx", &listed, &state) == 2 && listed == tid)
      snprintf(text, sizeof text, "%lx %d %lx", look, tid, state);
  }
  return text;
}
UNTRACED static const char *wait_for_verdict(void) {
  const char *text;
  while (!*(text = verdict()))
    pause_briefly();
  return strdup(text);
}
UNTRACED static pthread_t start(int holding) {
  pthread_t thread;
  set(&leave, 0);
  set(&tid, 0);
  pthread_create(&thread, NULL, run, holding ? &leave : NULL);
  while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
    sched_yield();
  return thread;
}
UNTRACED static void end(pthread_t thread) {
  set(&leave, 1);
  pthread_join(thread, NULL);
}

UNTRACED int main(void) {
  EXPECT_TEXT("livepatch/looks", "");
  pthread_t thread = start(0);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  const char *first = wait_for_verdict();
  EXPECT_EQ(echo(first, "livepatch/looks", 0), 0); // the test knows that it is outside
  wait_for_patch(&patch);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED);
  EXPECT_EQ(echo(first, "livepatch/looks", 0), -ESTALE);
  EXPECT_TEXT("livepatch/looks", "");
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  EXPECT_EQ(echo(first, "livepatch/looks", 0), -ESTALE); // a verdict of another transition
  first = wait_for_verdict();
  char other[128];
  snprintf(other, sizeof other, "1%s", first); // made with another list of code
  EXPECT_EQ(echo(other, "livepatch/looks", 0), -ESTALE);
  EXPECT_EQ(echo(first, "livepatch/looks", 0), 0);
  wait_for_patch(&patch);
  end(thread);

  thread = start(1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  const char *before = wait_for_verdict();
  set(&calls, calls + 1); // an old version, since holds() is
  wait_until(&called, calls);
  EXPECT_EQ(echo(before, "livepatch/looks", 0), -ESTALE);
  before = wait_for_verdict();
  EXPECT_EQ(klp_disable_patch(&patch), 0); // turned round, to where the thread is
  EXPECT_EQ(echo(before, "livepatch/looks", 0), -ESTALE);
  wait_for_patch(&patch);
  EXPECT_EQ(klp_patch_status(&patch), 0);
  EXPECT_EQ(echo("1 2", "livepatch/looks", 0), -EINVAL);
  EXPECT_EQ(echo("1 2 3 4", "livepatch/looks", 0), -EINVAL);
  end(thread);
  return failures;
}
