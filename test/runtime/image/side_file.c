// function_graph finds descriptors that are not loaded, in the program or by build-id, of that build.
// RUN: rm -rf %t.d && mkdir -p %t.d/.build-id/01
// RUN: %traced_cc -O1 -fplugin-arg-nophook-descriptors=file -Wl,--build-id=0x0123456789abcdef %s -o %t
// RUN: %trace -p function_graph -- %t && %show --count %t.buf | FileCheck %s
// RUN: %traced_cc -O1 -fplugin-arg-nophook-descriptors=file -Wl,--build-id=0x0123456789abcde0 %s -o %t.other
// RUN: %objcopy --only-keep-debug %t %t.debug && %objcopy --only-keep-debug %t.other %t.other.debug
// RUN: %objcopy --strip-debug %t %t.stripped
// RUN: %trace -p function_graph -- %t.stripped && %show --count %t.buf | FileCheck %s --check-prefix=ENTRIES
// RUN: cp %t.debug %t.d/.build-id/01/23456789abcdef.debug
// RUN: env NOPHOOK_DEBUG_DIR=%t.d %trace -p function_graph -- %t.stripped && %show --count %t.buf | FileCheck %s
// RUN: cp %t.other.debug %t.d/.build-id/01/23456789abcdef.debug
// RUN: env NOPHOOK_DEBUG_DIR=%t.d %trace -p function_graph -- %t.stripped && %show --count %t.buf | FileCheck %s --check-prefix=ENTRIES
// RUN: head -c 3000 %t.debug > %t.d/.build-id/01/23456789abcdef.debug
// RUN: env NOPHOOK_DEBUG_DIR=%t.d %trace -p function_graph -- %t.stripped && %show --count %t.buf | FileCheck %s --check-prefix=ENTRIES
#include "program.h"

// CHECK: eight: 2 entry, 2 exit
// CHECK: variadic: 1 only
// ENTRIES: eight: 2 only
NOINLINE long eight(long a, long b, long c, long d, long e, long f, long g, long h) {
  KEEP(&h);
  return a + b + c + d + e + f + g + 8 * h;
}
NOINLINE int variadic(int n, ...) {
  KEEP(&n);
  return n;
}
int main(void) {
  EXPECT_EQ(eight(1, 2, 3, 4, 5, 6, 7, 8), 92);
  EXPECT_EQ(eight(1, 2, 3, 4, 5, 6, 7, 0), 28);
  EXPECT_EQ(variadic(1, 2), 1);
  return failures;
}
