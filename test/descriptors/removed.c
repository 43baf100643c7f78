// A parameter that the optimizer takes out of a signature is still listed, and marked as removed.
// RUN: %describe_cc -O2 %s -o %t && %nophook list --args --json %t | FileCheck %s
// CHECK: "function":"local"
// CHECK-SAME: {"name":"constant","type":"int","kind":"signed","bytes":4,"place":"optimized out"},{"name":"kept","type":"int","kind":"signed","bytes":4,"place":"rdi"}
volatile int sink;
__attribute__((noinline)) static void local(int constant, int kept) { sink = constant + kept; }
int main(int argc, char **argv) { local(7, argc); local(7, argc + 1); return argv[0] == 0; }
