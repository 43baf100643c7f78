// A parameter that a function does not use may not have been passed: it is marked as unused.
// RUN: %describe_cc -O2 %s -o %t && %nophook list --args --json %t | FileCheck %s
// CHECK: "function":"work"{{.*}}{"name":"a",{{[^}]*}}"place":"rdi","unused":true},{"name":"b",{{[^}]*}}"place":"rsi"}
__attribute__((noinline)) int work(int a, int b) { __asm__ volatile("" : "+r"(b)); return b; }
int main(void) { return work(1, 2); }
