// A linker that cannot read the script gets none, and links; a warning says what is missing.
// RUN: rm -rf %t.dir && mkdir %t.dir && printf '#!/bin/sh\nexec ld "$@"\n' > %t.dir/ld.gold && chmod +x %t.dir/ld.gold
// RUN: %nophook cc -v %s --ld-path=%t.dir/ld.gold -o %t 2>&1 | FileCheck %s
// RUN: %t
// RUN: %cc -c %s --ld-path=%t.dir/ld.gold -Wno-unused-command-line-argument -o %t.o 2>&1 | FileCheck %s --check-prefix=COMPILE --allow-empty
// CHECK: nophook: warning: {{.*}}/ld.gold reads no linker scripts of this kind: what it links cannot be traced
// CHECK: NophookPass.so
// CHECK-NOT: ftrace.lds
// COMPILE-NOT: {{.}}
int main(void) { return 0; }
