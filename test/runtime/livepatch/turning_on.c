// While the site of a patched function is changed, in whatever way, and before and after it, calls run what all
// threads run then: the original version.
// RUN: %traced_cc -O1 %s -o %t %static && %t
// RUN: env NOPHOOK_POKE=skip %t
// RUN: env NOPHOOK_POKE=trap %t
#include <string.h>
#include "poke.h"
#include "klp.h"

NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(version, new_version));
static int ends[2], steps;
UNTRACED static void call_original(int step) {
  (void)step;
  EXPECT_EQ(version(), 1);
  steps++;
}
UNTRACED static void *sleep_there(void *unused) {
  char byte;
  EXPECT(read(ends[0], &byte, 1) == 1);
  return unused;
}

UNTRACED int main(void) {
  pthread_t thread;
  EXPECT_EQ(pipe(ends), 0);
  pthread_create(&thread, NULL, sleep_there, NULL); // else the site is changed in one piece
  for (int i = 0; i < 3; i++) {
    nophook_poke_stop = call_original;
    EXPECT_EQ(klp_enable_patch(&patch), 0);
    nophook_poke_stop = NULL;
    wait_for_patch(&patch);
    EXPECT_EQ(version(), 2);
    EXPECT_EQ(klp_disable_patch(&patch), 0);
    EXPECT_EQ(version(), 1);
    nophook_poke_stop = call_original; // by the driver
    wait_for_patch(&patch);
    nophook_poke_stop = NULL;
  }
  EXPECT(steps > 3);
  EXPECT(write(ends[1], "", 1) == 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
