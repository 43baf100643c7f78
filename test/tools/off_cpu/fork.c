// A child of fork counts its own time off the CPU from its first event on: its CPU clock begins at 0, its parent's does not count.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cc %s -o %t && %nophook record -p function_graph --off-cpu -o %t.data %t
// RUN: %nophook report --json %t.data | %python %S/Inputs/fork.py
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void sleeps(unsigned us) { usleep(us); }
__attribute__((noinline)) static void begins(void) { __asm__ volatile(""); }

int main(void) {
  sleeps(50000);
  if (!fork()) {
    begins();
    sleeps(10000);
    return 0;
  }
  wait(NULL);
  sleeps(1000);
}
