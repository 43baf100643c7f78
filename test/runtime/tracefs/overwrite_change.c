// options/overwrite changes while threads are traced: the buffer begins again, and from then on the oldest events go, or the newest.
// RUN: %traced_cc -O1 -pthread %s -o %t %linked
// RUN: %trace_linked -p function -k 1024 -- %t on && %nophook report %t.buf | FileCheck %s --check-prefix=ON
// RUN: %show --python 'buffers[0].full == 1 and buffers[0].overwritten_events() > 0 and sum(len(r.events) for r in buffers[0].rings) > 30000' %t.buf
// RUN: %trace_linked -p function -k 1024 -- %t off && %nophook report %t.buf | FileCheck %s --check-prefix=OFF
// RUN: %show --python 'buffers[0].full == 0 and buffers[0].lost_events() > 0 and sum(len(r.events) for r in buffers[0].rings) > 50000' %t.buf
// ON-NOT:  first <-
// ON:      last <-
// OFF:     first <-
// OFF-NOT: last <-
#include "tree.h"

#include <pthread.h>

NOINLINE void first(void) { KEEP(0); }
NOINLINE void busy(void) { KEEP(1); }
NOINLINE void last(void) { KEEP(2); }

static int over;
UNTRACED static void *call(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    busy();
  return unused;
}

UNTRACED int main(int count, char **arguments) {
  int on = count == 2 && strcmp(arguments[1], "on") == 0;
  EXPECT_TEXT("options/overwrite", "0\n");
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, call, NULL), 0);
  for (int i = 0; i < 40 + on; i++) {
    EXPECT_EQ(echo(i % 2 ? "nooverwrite" : "overwrite", "trace_options", 0), 0);
    EXPECT_TEXT("options/overwrite", i % 2 ? "0\n" : "1\n");
    for (int n = 0; n < 20000; n++)
      busy();
  }
  over = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  // Nothing is left of before; what was full has room again.
  EXPECT_EQ(echo(on ? "0" : "1", "options/overwrite", 0), 0);
  EXPECT_EQ(echo(on ? "1" : "0", "options/overwrite", 0), 0);
  first();
  for (int n = 0; n < 200000; n++)
    busy();
  last();
  return failures;
}
