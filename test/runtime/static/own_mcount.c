// The classic exercise: main.c compiled with -pg and one's own mcount() prints for each call; after recordmcount it is traced instead.
// RUN: gcc -O0 -c %S/Inputs/mcount.c -o %t.mcount.o && gcc -O0 -pg -c %s -o %t.main.o
// RUN: gcc %t.mcount.o %t.main.o -o %t && %t | FileCheck %s --check-prefix=OWN
// OWN-COUNT-3: mcount!
// OWN: b:
// OWN-NOT: mcount!
// RUN: %recordmcount -q %t.main.o && gcc %t.mcount.o %t.main.o %tables -o %t && %t | FileCheck %s --check-prefix=NONE
// NONE-NOT: mcount!
// NONE: b:3
// RUN: %nophook record -p function -o %t.data -- %t > %t.out && %nophook report %t.data | FileCheck %s
// CHECK: main
// CHECK: a <-main
// CHECK: b <-a
#include <stdio.h>
void b(int i);
int a(int i);
void b(int i) { printf("b:%d\n", i); }
int a(int i) {
  b(i);
  return 0;
}
int main(void) { return a(3); }
