// A static program is traced if the runtime is linked in, and refused with advice if it is not.
// RUN: %traced_cc -static %s -o %t && rm -f %t.ran
// RUN: %exits 1 %nophook record -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: test ! -e %t.ran
// RUN: %traced_cc -static %s -o %t.with %with_archive
// RUN: %nophook record -o %t.data -- %t.with %t.ran 2>&1 | FileCheck %s --check-prefix=TRACED
// RUN: %traced_cc -static -s %s -o %t.stripped %with_archive
// RUN: %nophook record -o %t.data -- %t.stripped %t.ran 2>&1 | FileCheck %s --check-prefix=TRACED
// REFUSED: is a static program without the runtime: link with -Wl,-u,nophook_register_module and libnophook.a
// REFUSED-NOT: {{.}}
// TRACED: nophook: 2 events of 1 function in 1 thread, 0 events lost
#include <stdio.h>
int main(int count, char **arguments) { return count > 1 && !fopen(arguments[1], "w"); }
