// A memory barrier touches the return address and does not read it: the function can be called through.
// REQUIRES: gcc, lld
// RUN: %gcc -g -pg -mfentry -c %s -o %t.o && %objdump -d %t.o | FileCheck %s --check-prefix=CODE
// RUN: %recordmcount %t.o && %clang -fuse-ld=lld %tables %t.o -o %t && %t && %nophook list %t | FileCheck %s
// CODE: lock
// CODE: or{{.*}}$0x0, (%rsp)
// CHECK-DAG: call-through barrier
// CHECK-DAG: call-through main
// CHECK-DAG: entry only: reads its return address reader
void *reader(void) { return __builtin_return_address(0); }
void barrier(void) { __sync_synchronize(); }
int main(void) { return 0; }
