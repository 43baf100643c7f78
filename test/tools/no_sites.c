// A program without sites is started, with a note: it may run or load something that has some.
// RUN: %clang %s -o %t && rm -f %t.ran
// RUN: %nophook record -o %t.data -- %t %t.ran 2>&1 | FileCheck %s
// RUN: test -e %t.ran
// RUN: %exits 1 %nophook list %t 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %exits 1 %nophook record --strict -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=STRICT
// A program that a shell or make runs is recorded.
// RUN: %traced_cc %s -o %t.traced
// RUN: %nophook record -o %t.data -- sh -c '%t.traced; %t.traced' 2>&1 | FileCheck %s --check-prefix=SHELL
// CHECK: no_sites.c.tmp itself has no traceable functions: programs that it starts and libraries that it loads are recorded. (To trace it, build it with nophook cc: make CC='nophook cc'. --strict makes an empty recording an error)
// CHECK-NEXT: no_sites.c.tmp: nothing was recorded: it has no traceable functions, and nothing that it started or loaded had any
// STRICT: no_sites.c.tmp: nothing was recorded (--strict)
// SHELL: sh itself has no traceable functions
// SHELL: nophook: 4 events of 1 function in 2 threads, 0 events lost
// LIST: nophook: {{.*}}no_sites.c.tmp: no traceable functions: compile and link with `nophook cc`, or by hand with -fplugin=NophookPass.so
#include <stdio.h>
int main(int count, char **arguments) { return count > 1 && !fopen(arguments[1], "w"); }
