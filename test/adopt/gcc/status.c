// Diagnostics and exit status are gcc's own; what recordmcount refuses is an error that leaves no object.
// RUN: not gcc -c %s -DBAD=nothing -o %t.o 2> %t.bare
// RUN: not %nophook cc -c %s -DBAD=nothing -o %t.o 2> %t.wrapped && cmp %t.bare %t.wrapped
// RUN: rm -rf %t.dir && mkdir %t.dir && %exits 1 %nophook cc -c %s -DBAD=nothing -o %t.o 2> %t.err
// RUN: cd %t.dir && %exits 1 %nophook cc -fpatchable-function-entry=2 -DBAD=0 -c %s -o a.o 2>&1 | FileCheck %s
// RUN: cd %t.dir && %exits 1 %nophook cc -fpatchable-function-entry=2 -DBAD=0 %s -o a 2>&1 | FileCheck %s
// RUN: test ! -e %t.dir/a.o && test ! -e %t.dir/a
// RUN: env NOPHOOK_CC=/no/such/gcc %exits 1 %nophook cc -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COMPILER
// CHECK: recordmcount: {{.*}}.o: .text{{.*}}: only {{.*}} of NOPs
// COMPILER: nophook: /no/such/gcc: cannot be executed: No such file or directory
int main(void) { return BAD; }
