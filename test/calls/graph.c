// record --calls: calls of functions in libraries are in the graph, with their callbacks inside,
// however the slots were bound.
// RUN: %traced_cc -Wl,-z,lazy %s -o %t.lazy && %nophook record --calls -o %t.1 %t.lazy | FileCheck %s --check-prefix=SAME
// RUN: %nophook report %t.1 2>&1 | FileCheck %s
// RUN: %traced_cc -Wl,-z,now -Wl,-z,relro %s -o %t.now && %nophook record --calls -o %t.2 %t.now | FileCheck %s --check-prefix=SAME
// RUN: %nophook report %t.2 2>&1 | FileCheck %s
// By gcc's linker, whose PLT is another one.
// RUN: %traced_cc -fuse-ld=bfd -fcf-protection %s -o %t.bfd && %nophook record --calls -o %t.3 %t.bfd | FileCheck %s --check-prefix=SAME
// RUN: %nophook report %t.3 2>&1 | FileCheck %s
// Without the option there are none.
// RUN: %nophook record -o %t.4 %t.lazy && %nophook report %t.4 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=libc
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static int work(void) {
  int numbers[] = {2, 1};
  char *text = malloc(64);
  strcpy(text, getenv("NO_SUCH_NAME") ? "set" : "unset");
  qsort(numbers, 2, sizeof *numbers, compare);
  printf("%d %d %s %g\n", numbers[0], numbers[1], text, 1.5);
  free(text);
  return numbers[1];
}
int main(void) { return work() - 2; }
// SAME: {{^}}1 2 unset 1.5
// CHECK: main() {
// CHECK-NEXT: work() {
// CHECK-NEXT: malloc [libc.so.6]();
// CHECK-NEXT: getenv [libc.so.6]();
// CHECK-NEXT: strcpy [libc.so.6]();
// CHECK-NEXT: qsort [libc.so.6]() {
// CHECK: compare();
// CHECK: }
// CHECK: printf [libc.so.6]
// CHECK: free [libc.so.6]();
// NONE: main() {
