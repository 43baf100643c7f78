// Behind the wrapper, ccache sees the plugin and its lists: a change of either compiles again.
// REQUIRES: ccache
// RUN: rm -rf %t.dir && mkdir -p %t.dir/bin && cp -rL %lib %build/share %t.dir/ && cp %nophook %t.dir/bin/
// RUN: echo 'fun:none' > %t.dir/list && cp %s %t.dir/a.c
// RUN: cd %t.dir && sh %S/Inputs/ccache.sh %llvm > out && FileCheck %s < out
// CHECK:      first: 0 hits
// CHECK-NEXT: again: 1 hits
// CHECK-NEXT: another plugin: 0 hits
// CHECK-NEXT: again: 1 hits
// CHECK-NEXT: another list: 0 hits
// CHECK-NEXT: 1 function:
int work(void) { return 3; }
int main(void) { return work() - 3; }
