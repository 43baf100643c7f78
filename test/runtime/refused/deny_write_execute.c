// The filter of systemd's MemoryDenyWriteExecute: no mprotect() with PROT_EXEC, no mmap() with PROT_WRITE and PROT_EXEC. Tracing works, alone and with another thread, and after nop the text is the file's.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "refuse.h"
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <sys/mman.h>

static int over;
NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    sched_yield();
  return unused;
}
UNTRACED int main(void) {
  int works = 0;
  pthread_t thread;
  refuse(SYS_mprotect, 2, PROT_EXEC, EPERM);
  refuse(SYS_pkey_mprotect, 2, PROT_EXEC, EPERM);
  refuse(SYS_mmap, 2, PROT_WRITE | PROT_EXEC, EPERM);
  EXPECT(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  for (int threads = 0; threads < 2; threads++) {
    for (int graph = 0; graph < 2; graph++) {
      EXPECT_EQ(tracing_set_tracer(graph ? "function_graph" : "function"), 0);
      EXPECT(text_differing() > 0);
      work(), works++;
      EXPECT_EQ(tracing_set_tracer("nop"), 0);
      EXPECT_EQ(text_differing(), 0);
      work();
    }
    if (!threads)
      pthread_create(&thread, NULL, run, NULL);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  printf("work %d\n", works);
  return failures;
}
