// Threads that come and go cost a look at one thread each, however many there were before: no list of 8192 rings is walked with system calls.
// REQUIRES: strace
// RUN: %traced_cc -O1 %s -o %t
// RUN: rm -rf %t.buf && mkdir %t.buf
// RUN: env LD_PRELOAD=%runtime NOPHOOK="current_tracer=function buffer_mode=overwrite buffer_size_kb=1024 buffer_dir=%t.buf" strace -f -qq -o %t.calls -e trace=tgkill,madvise,mmap %t
// RUN: %show --python 'buffers[0].lost_events() == 0' %t.buf
// RUN: %python -c 'import sys; n = open("%t.calls").read().count("tgkill("); sys.exit(f"{n} looks" if n > 2 * 2000 + 200 else 0)'
#include "program.h"
#include <pthread.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void *run(void *unused) {
  for (int i = 0; i < 10; i++)
    work(i);
  return unused;
}
UNTRACED int main(void) {
  for (int i = 0; i < 2000; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, run, NULL), 0);
    pthread_join(thread, NULL);
  }
  return failures;
}
