// No call of mcount is left, and nothing of gprof's start-up is linked.
// RUN: %cc -O2 -c %s -o %t.o && %cc -O2 %s -o %t
// RUN: %readelf -r %t.o %t | FileCheck %s --check-prefix=RELOCATIONS --implicit-check-not=__fentry__ --implicit-check-not=mcount@
// RUN: %readelf -s %t | FileCheck %s --implicit-check-not='DEFAULT {{ *[0-9]+}} __gmon_start__'
// RUN: %objdump -d %t.o | FileCheck %s --check-prefix=SITE
// RELOCATIONS: R_X86_64
// CHECK: main
// SITE: <main>:
// SITE-NEXT: nop
int main(void) { return 0; }
