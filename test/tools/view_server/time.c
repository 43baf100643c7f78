// The address of `view --time` opens the page with that time in view and selected, up to the end of the recording; a time without events is an error.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python %S/Inputs/first_line.py %nophook view --no-open --time +0,+1us %t.data | FileCheck %s
// RUN: %python %S/Inputs/first_line.py %nophook view --no-open --time +1ms %t.data | FileCheck %s --check-prefix=OPEN
// RUN: %python %S/Inputs/first_line.py %nophook view --no-open %t.data | FileCheck %s --check-prefix=ALL --match-full-lines
// RUN: %exits 1 %nophook view --no-open --time +1000, %t.data 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook view --time +0, -o %t.html %t.data 2>&1 | FileCheck %s --check-prefix=FILE
// CHECK: http://127.0.0.1:{{.*}}/#t=0,1000&s=0,1000{{$}}
// OPEN: http://127.0.0.1:{{.*}}/#t=1000000,[[END:[0-9]+]]&s=1000000,[[END]]{{$}}
// ALL: http://127.0.0.1:{{[^#]*}}/
// NONE: nophook: {{.*}}.data: nothing in it matches the options
// FILE: nophook: view: --time: is for a page that is served
#include <time.h>
__attribute__((noinline)) static void pause_for(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, 0); }
int main(void) { pause_for(3); return 0; }
