// A program with `serve` in NOPHOOK is traced, asked and left again by other processes while it
// runs; its answer is the same, and when it has ended its socket is gone.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/drive.py %nophook %lib/libnophook.so %t
// RUN: env NOPHOOK_POKE=trap XDG_RUNTIME_DIR=%t.run %python %S/Inputs/drive.py %nophook %lib/libnophook.so %t
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static void tick(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void tock(void) { __asm__ volatile(""); }
int main(void) {
  struct pollfd end = {0, POLLIN, 0};
  char byte;
  while (poll(&end, 1, 1) == 0 || read(0, &byte, 1) > 0)
    tick(), tock();
  puts("the answer");
}
