// An inline function in two objects of g++ is listed once.
// RUN: %cxx -O2 -c -DFIRST %s -o %t.1.o && %cxx -O2 -c %s -o %t.2.o && %cxx %t.1.o %t.2.o -o %t && %t
// RUN: %nophook list %t 2>&1 | FileCheck %s
// CHECK-DAG: call-through shared(int)
// CHECK-DAG: call-through other(
// CHECK-DAG: call-through main
// CHECK: 3 functions: 3 call-through
[[gnu::noinline]] inline int shared(int value) { asm volatile("" : "+r"(value)); return value; }
int other(int value);
#ifdef FIRST
int other(int value) { return shared(value); }
#else
int main() { return shared(0) + other(0); }
#endif
