// A program that gcc compiles for link-time optimization works, is not traceable, and one line says so.
// RUN: %cc -O2 -flto %s -o %t 2>&1 | FileCheck %s && %t
// RUN: %cc -O2 -flto -c %s -o %t.o 2>&1 | FileCheck %s && %cc -flto %t.o -o %t && %t
// RUN: %cc -O2 -flto -fno-lto %s -o %t 2>&1 | count 0
// RUN: %nophook list --summary %t | FileCheck %s --check-prefix=LIST
// CHECK: nophook: warning: gcc's -flto generates the code at link time, {{.*}}
// CHECK-NOT: {{.}}
// LIST: 1 function
int main(void) { return 0; }
