// top shows how much CPU time a process uses, which is little for one that sleeps in a function, and not the function's wall time.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/top_asleep.py %nophook %lib/libnophook.so %t
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static void nap(void) {
  usleep(20000);
  __asm__ volatile("");
}
int main(void) {
  for (;;)
    nap();
}
