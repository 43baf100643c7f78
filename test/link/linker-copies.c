// Stripped, copied by objcopy or compressed by dwz, a program is traced as before.
// REQUIRES: lld, dwz
// RUN: %clang -g -gdwarf-4 -O1 %instrument -fuse-ld=lld %s %tables -o %t
// RUN: strip -s %t -o %t.strip && objcopy %t %t.copy && objcopy --strip-debug %t %t.nodebug && dwz %t -o %t.dwz
// RUN: %strip --strip-all %t -o %t.strip2 && %objcopy %t %t.copy2
// RUN: bash -ec 'for f in strip copy nodebug dwz strip2 copy2; do rm -rf %t.data; %nophook record -p function -o %t.data -- %t.$f; %nophook report %t.data > %t.txt; grep -c " <-" %t.txt; done' | FileCheck %s
// CHECK-COUNT-6: 2
// CHECK-NOT: {{.}}
__attribute__((noinline)) int leaf(int a) { return a * 3; }
int main(void) { return leaf(0); }
