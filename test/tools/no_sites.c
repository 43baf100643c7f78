// A program without sites is refused with a line that says how to compile it.
// RUN: %clang %s -o %t && rm -f %t.ran
// RUN: %exits 1 %nophook record -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: test ! -e %t.ran
// It may load or run something that has sites: --force believes that.
// RUN: %nophook record --force -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: test -e %t.ran
// RUN: %exits 1 %nophook list %t 2>&1 | FileCheck %s --check-prefix=LIST
// REFUSED: no_sites.c.tmp: has no traceable functions: compile with -fplugin=NophookPass.so, link with -Wl,-T,ftrace.lds and nophook_module.o (--force starts it anyway)
// REFUSED-NOT: {{.}}
// FORCED: no_sites.c.tmp: nothing was recorded
// LIST: nophook: {{.*}}no_sites.c.tmp: no traceable functions: compile with -fplugin=NophookPass.so
#include <stdio.h>
int main(int count, char **arguments) { return count > 1 && !fopen(arguments[1], "w"); }
