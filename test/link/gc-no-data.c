// The linker script still finds its anchor where --gc-sections drops all of .data.
// REQUIRES: lld
// RUN: %clang -O1 %instrument -fno-pie -c %s -o %t.o
// RUN: %clang -no-pie -nostdlib -static %t.o %tables -fuse-ld=lld -Wl,--gc-sections -Wl,-e,work -o %t
// RUN: %python %S/note.py %t | FileCheck %s
// Without the module object, which has the anchor, the same link is refused:
// RUN: not %clang -no-pie -nostdlib -static %t.o -Wl,-T,%lds -fuse-ld=lld -Wl,--gc-sections -Wl,-e,work -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: 1 sites, 1 descriptors
// REFUSED: unable to insert
void work(void) {}
