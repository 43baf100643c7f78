// A fork child that cannot make a buffer is named when the recording ends, and its events are counted
// as lost; so are those of its own children.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t nofile 2>&1 | FileCheck %s --check-prefixes=CHECK,NOFILE
// RUN: %nophook record -p function -o %t.data -- %t fsize 2>&1 | FileCheck %s --check-prefixes=CHECK,FSIZE
// RUN: %exits 1 %nophook record --strict -p function -o %t.data -- %t nofile 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: lost_children.c.tmp: 2000 events were lost (--strict)
// NOFILE: nophook: 2 fork children could not be recorded (the last one, {{[0-9]+}}: the buffer file cannot be created in buffer_dir: Too many open files)
// FSIZE: nophook: 2 fork children could not be recorded (the last one, {{[0-9]+}}: the buffer is larger than the limit on file sizes (ulimit -f): File too large)
// CHECK: nophook: 1 event of 1 function in 1 thread, 2000 events lost
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define UNTRACED __attribute__((no_instrument_function))
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
UNTRACED static void prevent(const char *how) {
  struct rlimit files = {3, 3}, bytes = {4096, 4096};
  if (!strcmp(how, "nofile"))
    setrlimit(RLIMIT_NOFILE, &files);
  if (!strcmp(how, "fsize"))
    setrlimit(RLIMIT_FSIZE, &bytes);
}
UNTRACED int main(int count, char **arguments) {
  work();
  int children = 0;
  for (; children < 2 && fork() == 0; children++) {
    if (!children)
      prevent(arguments[count - 1]);
    for (int i = 0; i < 1000; i++)
      work();
  }
  wait(0);
  return 0;
}
