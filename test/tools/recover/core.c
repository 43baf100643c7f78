// A core file shows what the buffer's own file did, which may be gone: if the kernel's filter lets shared memory into it. If not, that is said.
// REQUIRES: core-files
// (Each reader measures the speed of the counter for itself, so the last digit of a duration may differ.)
// RUN: %traced_cc %s %linked -o %t && rm -rf %t.dir && mkdir -p %t.dir/run && cd %t.dir
// RUN: env XDG_RUNTIME_DIR=%t.dir NOPHOOK="current_tracer=function_graph buffer_size_kb=1024" %exits 134 sh -c 'ulimit -c unlimited; echo 0x3b > /proc/self/coredump_filter; %t || exit $?' 2> %t.err
// RUN: cd %t.dir && sh -c 'mv core* all' && %nophook report nophook/*.buf | sed -E 's/[0-9.]+ us/us/' > %t.text && FileCheck %s < %t.text
// RUN: rm %t.dir/nophook/*.buf && %nophook report %t.dir/all | sed -E 's/[0-9.]+ us/us/' | cmp - %t.text
// RUN: %nophook recover -o %t.data %t.dir/all 2>&1 | FileCheck %s --check-prefix=SAID && %nophook report %t.data | sed -E 's/[0-9.]+ us/us/' | cmp - %t.text
// RUN: %exits 2 %nophook recover --clean %t.dir/all
// RUN: rm %t.dir/nophook/*.maps && %nophook recover -o %t.data %t.dir/all 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: cd %t.dir && env XDG_RUNTIME_DIR=%t.dir NOPHOOK="current_tracer=function_graph buffer_size_kb=1024" %exits 134 sh -c 'ulimit -c unlimited; %t || exit $?' 2> %t.err
// RUN: cd %t.dir && sh -c 'mv core* some' && %exits 1 %nophook report some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: cd %t.dir && %exits 134 sh -c 'ulimit -c unlimited; %t || exit $?' 2> %t.err
// RUN: cd %t.dir && sh -c 'mv core* none' && %exits 1 %nophook recover none 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: main() {
// CHECK-NEXT: work();
// CHECK-NEXT: last();
// SAID: nophook: {{[1-9]}} event{{s?}} of 1 process
// NUMBERS: nophook: {{.*}}: the list of functions beside the buffer is missing: functions are shown as numbers
// SOME: holds no events: Linux leaves shared memory out of core files unless bit 3 of /proc/PID/coredump_filter is set; {{.*}}.buf is still there
// NONE: is a core file of a process that was not traced
#include <stdlib.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((noinline)) static void last(void) { __asm__ volatile(""); }
int main(void) {
  work(1);
  last();
  abort();
}
