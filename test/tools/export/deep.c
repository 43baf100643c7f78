// export --format speedscope says that speedscope fails on a recursion of more than 5,000 levels; of 5,000 it says nothing.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t 5001 && %nophook record -o %t.fits -- %t 4998
// RUN: %nophook export --format speedscope -o %t.json %t.data 2>&1 | FileCheck %s
// RUN: %nophook export --format speedscope -o %t.json %t.fits 2>&1 | count 0
// CHECK: nophook: calls are up to 5003 levels deep: speedscope fails on more than about 5000. `nophook view` and `nophook graph` show them
#include <stdlib.h>
__attribute__((noinline)) int down(int n) {
  int below = n ? down(n - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}
int main(int argc, char **argv) { return down(atoi(argv[argc - 1])) == 0; }
