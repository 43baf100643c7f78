// Debug info without types is as good as none: kinds and places come from the IR.
// RUN: %describe_cc -O2 -gline-tables-only %s -o %t && %nophook list --args --json %t | FileCheck %s
// RUN: %describe_cc -O2 -g0 %s -o %t && %nophook list --args --json %t | FileCheck %s
// CHECK: "function":"work",{{.*}}"no_source":true,{{.*}}"result":{"type":"i16","kind":"signed","bytes":2,"place":"rax"},"parameters":
// CHECK-SAME: [{"type":"i8","kind":"unsigned","bytes":1,"place":"rdi"},{"type":"i32","kind":"integer","bytes":4,"place":"rsi"},{"type":"double","kind":"float","bytes":8,"place":"xmm0"},{"type":"ptr","kind":"pointer","bytes":8,"place":"rdx"}]
__attribute__((noinline)) short work(unsigned char a, int b, double c, char *d) { return (short)(a + b + (int)c + *d); }
int main(int argc, char **argv) { return work(1, argc, 1.0, argv[0]); }
