// Functions that BOLT leaves where they are, as it does with those that its profile lacks, are traced as before; only the others are named.
// REQUIRES: lld, llvm22, bolt
// RUN: rm -rf %t && mkdir %t && cd %t && %nophook cc -O1 -Wl,--emit-relocs %s -o before
// RUN: llvm-bolt before --skip-funcs=twice -o moved > /dev/null 2>&1 && llvm-bolt before --skip-funcs=twice --keep-nops -o kept > /dev/null 2>&1
// RUN: llvm-bolt before --skip-funcs=twice,main -o left > /dev/null 2>&1
// RUN: %nophook record -o data -- ./moved 2>&1 | FileCheck %s --check-prefix=MOVED && %nophook report data | FileCheck %s
// RUN: %nophook record -o data -- ./kept 2>&1 | FileCheck %s --check-prefix=KEPT && %nophook report data | FileCheck %s
// RUN: %nophook record -o data -- ./left 2>&1 | FileCheck %s --check-prefix=LEFT --implicit-check-not=warning
// MOVED: nophook: warning: {{.*}}moved: 1 entry of the table leads into code that never runs: BOLT has moved the functions
// MOVED: 10 events of 1 function in 1 thread, 0 events lost
// KEPT: nophook: warning: {{.*}}kept: 1 function has a site that is in no table, and cannot be traced (main); 1 entry of the table leads into code that never runs: BOLT
// KEPT: 10 events of 1 function in 1 thread, 0 events lost
// LEFT: 12 events of 2 functions in 1 thread, 0 events lost
// CHECK-COUNT-5: twice();
// CHECK-NOT: {{[a-z]}}
__attribute__((noinline)) int twice(int a) { __asm__ volatile("" : "+r"(a)); return a * 2; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += twice(i);
  return sum != 20;
}
