// A project's own linker script is used, and the tables are added to it.
// REQUIRES: gnu-ld
// RUN: ld.bfd --verbose | sed -n '/^======/,/^======/p' | grep -v '^======' > %t.lds
// RUN: echo 'PROVIDE(of_the_own_script = 3);' >> %t.lds
// RUN: %cc -O1 -fuse-ld=bfd -Wl,-T,%t.lds %s -o %t && %t
// RUN: %nophook list --summary %t | FileCheck %s
// CHECK: 1 function: 1 call-through
extern char of_the_own_script[];
int main(void) { return (int)(long)of_the_own_script != 3; }
