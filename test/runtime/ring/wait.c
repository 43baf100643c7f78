// A full ring that waits loses nothing if there is a reader; else it waits once, never in a handler.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function_graph -l work -k 1024 -s buffer_mode=wait:10000 -- %t reader
// RUN: %trace_linked -p function_graph -l work -k 1024 -s buffer_mode=wait:300 -- %t nobody
// RUN: %trace_linked -p function_graph -l work -k 1024 -s buffer_mode=wait:60000 -- %t handler
// A handler that blocks nothing, SA_NODEFER, is recognized by its frame.
// RUN: %trace_linked -p function_graph -l work -k 1024 -s buffer_mode=wait:60000 -- %t handler_that_blocks_nothing
#include "drain.h"
#include <signal.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void work_long(int unused) {
  (void)unused;
  for (int i = 0; i < 300000; i++)
    work(i);
}
UNTRACED static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
UNTRACED int main(int count, char **arguments) {
  char mode = arguments[count - 1][0];
  EXPECT(drain_start());
  if (mode != 'r')
    drain_finish(); // nobody reads now
  struct sigaction action = {.sa_handler = work_long, .sa_flags = strlen(arguments[count - 1]) > 7 ? SA_NODEFER : 0};
  sigaction(SIGUSR1, &action, NULL);
  long begin = now_ms();
  if (mode == 'h')
    raise(SIGUSR1);
  else
    work_long(0);
  long took = now_ms() - begin;
  if (mode == 'r') {
    drain_finish();
    EXPECT_EQ(drain_lost(), 0);
    EXPECT_EQ(drained_events[NOPHOOK_EVENT_ENTRY], 300000);
  } else {
    EXPECT(drain_lost() > 0);
    EXPECT(took < 60000 && (mode == 'h' || took >= 299)); // not for each event
  }
  return failures != 0;
}
