// Flags that are there already are not given twice.
// RUN: %cc -O1 %instrument %s %tables -Wl,-z,nopack-relative-relocs -o %t && %t
// RUN: %nophook list --summary %t | FileCheck %s
// RUN: %cc -### %instrument %s %tables -Wl,-z,nopack-relative-relocs 2>&1 | FileCheck %s --check-prefix=ONCE
// CHECK: 1 function: 1 call-through
// ONCE: ftrace.lds
// ONCE-NOT: ftrace.lds
// ONCE-NOT: "pack-relative-relocs"
int main(void) { return 0; }
