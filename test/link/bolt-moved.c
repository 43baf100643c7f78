// Functions that BOLT has moved, with and without --keep-nops, are named with the cause by list, record and why.
// REQUIRES: lld, llvm22, bolt
// RUN: rm -rf %t && mkdir %t && cd %t && %nophook cc -O1 -Wl,--emit-relocs %s -o before && %nophook record -o data -- ./before 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: llvm-bolt before -o moved > /dev/null 2>&1 && llvm-bolt before --keep-nops -o kept > /dev/null 2>&1
// RUN: %nophook list moved 2>&1 | FileCheck %s --check-prefixes=MOVED
// RUN: %nophook list kept 2>&1 | FileCheck %s --check-prefixes=KEPT
// RUN: %nophook record -o data -- ./moved 2>&1 | FileCheck %s --check-prefixes=MOVED,NONE
// RUN: %nophook record -o data -- ./kept 2>&1 | FileCheck %s --check-prefixes=KEPT,NONE
// RUN: %nophook why twice moved | FileCheck %s --check-prefix=WHY && %nophook why twice kept | FileCheck %s --check-prefix=WHY
// BEFORE-NOT: warning
// BEFORE: 12 events of 2 functions
// MOVED: nophook: warning: {{.*}}moved: 2 entries of the table lead into code that never runs: BOLT has moved the functions and not their table: trace the program as it was before
// KEPT: nophook: warning: {{.*}}kept: 2 functions have a site that is in no table, and cannot be traced (one is {{twice|main}}); 2 entries of the table lead into code that never runs: BOLT has moved the functions and not their table: trace the program as it was before
// NONE: 0 events of 0 functions
// WHY: twice: not traceable: BOLT has moved the functions and not their table: trace the program as it was before
__attribute__((noinline)) int twice(int a) { __asm__ volatile("" : "+r"(a)); return a * 2; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += twice(i);
  return sum != 20;
}
