// Compilations in several runs of the compiler lose no site.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %cc -O1 -save-temps=obj %s -o %t.dir/a && %nophook list --summary %t.dir/a | FileCheck %s
// RUN: %cc -O1 -fembed-bitcode %s -o %t.dir/b && %nophook list --summary %t.dir/b | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
