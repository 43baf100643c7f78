// NOPHOOK_RUNTIME links the runtime in: a library, an archive, or what a static program can take.
// RUN: env NOPHOOK_RUNTIME=1 NOPHOOK_CC="%clang -Wl,--as-needed" %nophook cc -Werror -O1 %s -o %t.shared && %t.shared
// RUN: %readelf -d %t.shared | FileCheck %s
// RUN: env NOPHOOK_RUNTIME=static %nophook cc -Werror -O1 %s -o %t.archive && %t.archive
// RUN: %nophook record -o %t.data -- %t.archive 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: env NOPHOOK_RUNTIME=shared %nophook cc -Werror -O1 -static %s -o %t.static && %t.static
// RUN: %nophook record -o %t.data -- %t.static 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: env NOPHOOK_RUNTIME=0 %nophook cc -Werror -O1 %s -o %t.none
// RUN: %readelf -d %t.none | FileCheck %s --check-prefix=NONE
// CHECK: NEEDED{{.*}}libnophook.so.0
// CHECK: RUNPATH
// RECORD: 1 function in 1 thread, 0 events lost
// NONE-NOT: libnophook
int main(void) { return 0; }
