// Debug info does not have ms_abi: the convention is detected, no place is listed, and stack arguments are not lost.
// REQUIRES: gcc, lld
// RUN: %by_gcc -O0 %s -o %t.o && %recordmcount -q --verify %t.o && %link_cxx %t.o -o %t && %nophook list --args --json %t | FileCheck %s
// RUN: %by_gcc -O2 %s -o %t.o && %recordmcount -q --verify %t.o && %link_cxx %t.o -o %t && %nophook list --args --json %t | FileCheck %s
// RUN: %by_gcc -O2 -gdwarf-4 %s -o %t.o && %recordmcount -q --verify %t.o && %link_cxx %t.o -o %t && %nophook list --args --json %t | FileCheck %s
// RUN: %nophook list %t | FileCheck %s --check-prefix=TRACE
// CHECK-DAG: "function":"one",{{.*}}"parameters":[{"name":"a",{{[^}]*}}"place":"unknown"}]
// CHECK-DAG: "function":"five",{{.*}}"parameters":[{"name":"a",{{[^}]*}}"place":"unknown"},{{.*}}{"name":"e",{{[^}]*}}"place":"unknown"}]
// CHECK-DAG: "function":"main",{{.*}}"parameters":[{"name":"argc",{{[^}]*}}"place":"rdi"}
// TRACE-DAG: entry only: calling convention {{ *}}five
// TRACE-DAG: call-through {{ *}}main
__attribute__((ms_abi, noinline)) long one(long a) { return a * a; }
__attribute__((ms_abi, noinline)) long five(long a, long b, long c, long d, long e) { return a + b * c + d * e; }
int main(int argc, char **argv) { return one(argc) + five(1, 2, 3, argc, 4); }
