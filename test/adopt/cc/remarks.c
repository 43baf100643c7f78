// Remarks come once, as without the wrapper.
// RUN: %clang -O1 %instrument -Rpass=nophook -c %s -o %t.o 2> %t.bare
// RUN: %cc -O1 -Rpass=nophook -Wno-error -c %s -o %t.o 2> %t.wrapped
// RUN: FileCheck %s < %t.bare && cmp %t.bare %t.wrapped
// CHECK: remark: work is traceable
int work(int x) { return x * 3; }
