// Behind `--` there are files only: our flags do not become some.
// RUN: cp %s %t.c && %cc -O1 -o %t -- %t.c && %t
// RUN: %nophook list --summary %t | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
