// descriptors=off leaves the site and the table entry, and no descriptor.
// RUN: %clang -O1 %instrument %option-descriptors=off -S %s -o - | FileCheck %s -DTABLE=%table --implicit-check-not=__ftrace_args
// RUN: %clang -O1 %instrument %option-descriptors=off %option-descriptors=on -S %s -o - | FileCheck %s -DTABLE=%table --check-prefix=ON
// CHECK-LABEL: {{^}}work:
// CHECK: nopl 8(%rax,%rax)
// CHECK: .section [[TABLE]],"awo",@progbits,work
// ON: .section __ftrace_args,"awo"
int work(int x) { return x * 3; }
