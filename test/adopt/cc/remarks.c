// Remarks come once, as without the wrapper.
// RUN: %clang -O1 %instrument -fplugin-arg-nophook-min-size=9 -Rpass-missed=nophook -c %s -o %t.o 2> %t.bare
// RUN: %nophook cc -O1 -fplugin-arg-nophook-min-size=9 -Rpass-missed=nophook -c %s -o %t.o 2> %t.wrapped
// RUN: FileCheck %s < %t.bare && cmp %t.bare %t.wrapped
// CHECK: remark: work is not traceable
int work(int x) { return x * 3; }
