// The tables of a computed goto come with the function, since their labels are its own; a list that calls
// them old changes nothing. A label that would get into the old function's variable is an error.
// RUN: printf 'take\trun\nold\trun\tS.run\nold\trun.table\tS.run.table\nold\trun.mutable\tS.run.mutable\n' > %t.list
// RUN: %clang -O1 -fPIE %instrument %option-extract=%t.list -c %s -o %t.o
// RUN: %readelf -rs %t.o | FileCheck %s
// RUN: %clang -O0 -fPIC %instrument %option-extract=%t.list -c %s -o %t.o
// RUN: %readelf -rs %t.o | FileCheck %s
// CHECK: R_X86_64_64 {{.*}} .text
// CHECK-NOT: S.run.
// RUN: not %clang -O1 -fPIE %instrument %option-extract=%t.list -DSTORED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STORED
// STORED: error: nophook: extract: 'run' stores the address of a label to 'S.run.table', which the running program has
#ifdef STORED
#define LABELS
#define STORE table[n] = &&more
#else
#define LABELS = {&&one, &&more, &&end}
#define STORE (void)0
#endif
int run(int n) {
  static const void *table[3] LABELS;
  static const void *mutable[] = {&&one, &&more, &&end};
  STORE;
  __asm__ volatile("" : : "r"(mutable));
  goto *table[n];
one:
  return 1;
more:
  n *= 2;
  goto *mutable[n & 1];
end:
  return n;
}
