// Under -save-temps, where the front end alone cannot do it, a warning names the remedy, which works.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %clang -O1 %instrument -save-temps=obj -c %s -o %t.dir/a.o 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %clang -O1 %instrument -fpass-plugin=%plugin -save-temps=obj -c %s -o %t.dir/a.o -Werror
// RUN: %objdump -d %t.dir/a.o | FileCheck %s

// WARNING: warning: nophook: the optimizer does not run here (-save-temps?), {{.*}} add -fpass-plugin=
// CHECK: <work>:
// CHECK-NEXT: 0f 1f 44 00 08
int work(int x) { return x * 3; }
