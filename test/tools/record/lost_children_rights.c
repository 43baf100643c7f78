// Fork children that may not write to the recorder's folder any more, after setuid() or chroot(), are named
// and their events counted as lost; what their parent records goes on.
// REQUIRES: root
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t 2>&1 | FileCheck %s
// CHECK: nophook: 2 fork children could not be recorded (the last one, {{[0-9]+}}: the buffer file cannot be created in buffer_dir:
// CHECK: nophook: 2 events of 1 function in 1 thread, 2000 events lost
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
__attribute__((no_instrument_function)) int main(void) {
  work();
  for (int which = 0; which < 2; which++) {
    if (fork() == 0) {
      if (which ? chroot("/proc") || chdir("/") : setgid(65534) || setuid(65534))
        return 1;
      for (int i = 0; i < 1000; i++)
        work();
      _exit(0);
    }
    wait(0);
  }
  work();
  return 0;
}
