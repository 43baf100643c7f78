// A list is a dependency of the object, so that a change of it rebuilds.
// RUN: echo 'fun:a*' > %t.in && echo 'fun:b*' > %t.out
// RUN: %clang %instrument %option-include=%t.in %option-exclude=%t.out -MD -MF %t.d -c %s -o %t.o
// RUN: FileCheck %s < %t.d
// CHECK-DAG: list-dependency.c.tmp.in
// CHECK-DAG: list-dependency.c.tmp.out
void work(void) {}
