// Without the runtime an instrumented program makes the same system calls as a plain one.
// REQUIRES: strace
// RUN: %clang -O1 %s -fuse-ld=lld -o %t.plain
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=lld -o %t.traced
// RUN: strace -o %t.plain.calls %t.plain
// RUN: strace -o %t.traced.calls %t.traced
// RUN: sed 's/(.*//' %t.plain.calls > %t.plain.names
// RUN: sed 's/(.*//' %t.traced.calls > %t.traced.names
// RUN: diff %t.plain.names %t.traced.names
// RUN: FileCheck %s < %t.traced.names
// RUN: %readelf -d %t.traced | FileCheck %s --check-prefix=NEEDED

// CHECK: execve
// CHECK: write
// NEEDED-NOT: nophook
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) int work(int x) { return x * 3; }
int main(void) {
  free(malloc(1 << 20));
  return printf("%d\n", work(1)) < 0;
}
