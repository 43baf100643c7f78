// -fpass-plugin= gives the same as -fplugin=, and both together instrument once.
// RUN: %clang -O1 -fplugin=%plugin -c %s -o %t.one.o
// RUN: %clang -O1 -fpass-plugin=%plugin -c %s -o %t.pass.o
// RUN: %clang -O1 -fplugin=%plugin -fpass-plugin=%plugin -c %s -o %t.both.o
// RUN: cmp %t.one.o %t.pass.o
// RUN: cmp %t.one.o %t.both.o
// RUN: %objdump -d -s -j .text -j __ftrace_args %t.both.o | FileCheck %s

// CHECK: Contents of section __ftrace_args:
// CHECK-NEXT: 0000 00000000 {{[0-9a-f]+}} 01000200 {{[0-9a-f]+}}
// CHECK-NOT: {{^ [0-9a-f]}}
// CHECK: <work>:
// CHECK-NEXT: 0f 1f 44 00 08
// CHECK-NOT: 0f 1f 44
int work(int x) { return x * 3; }
