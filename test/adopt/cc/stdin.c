// A source from standard input is instrumented, and -x does not make our object a source.
// RUN: %cc -O1 -x c - -o %t < %s && %t
// RUN: %nophook list --summary %t | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
