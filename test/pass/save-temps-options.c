// Under -save-temps options do not reach the optimizer, and a warning says so.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %clang -O1 %instrument -fpass-plugin=%plugin %option-min-size=3 -save-temps=obj -c %s -o %t.dir/a.o 2>&1 | FileCheck %s
// CHECK: warning: nophook: the optimizer does not run here (-save-temps?), {{.*}} 'min-size=3' has no effect
int work(int x) { return x * 3; }
