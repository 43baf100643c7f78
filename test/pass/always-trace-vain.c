// alwaystrace on a function that cannot have a site is a warning that says why; notrace beats it.
// RUN: %clang -O1 %instrument -I%include -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES
#include <ftrace.h>
// SITES: sites: works{{$}}
alwaystrace void works(void) {}
// CHECK-DAG: [[@LINE+1]]:1: warning: nophook: only functions can be traced; 'nophook_always_trace' is ignored
alwaystrace int variable;
// CHECK-DAG: warning: nophook: 'bare' is marked always to be traced, but it cannot be: a naked function has no ordinary entry
alwaystrace __attribute__((naked)) void bare(void) { __asm__("ret"); }
// CHECK-DAG: warning: nophook: 'torn' is marked always to be traced, but it cannot be: an attribute in the source keeps it out
alwaystrace notrace void torn(void) {}
// CHECK-DAG: warning: nophook: 'resolve' is marked always to be traced, but it cannot be: an ifunc resolver runs before
alwaystrace static void *resolve(void) { return works; }
void indirect(void) __attribute__((ifunc("resolve")));
