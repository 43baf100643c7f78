// Only slots that calls go through are touched: `environ`, which the program has a copy of, and addresses of functions in
// its data stay as they were, and calls by way of these are not traced.
// RUN: %traced_cc -fno-builtin -fno-pie -no-pie %s -o %t && %nophook record --calls -o %t.data %t | FileCheck %s --check-prefix=OUT
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data 2>&1 | FileCheck %s
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long (*volatile in_data)(long) = labs;
__attribute__((noinline)) static long by_data(long n) { return in_data(n) + 1; }
__attribute__((noinline)) static long by_slot(const char *text) { return strtol(text, NULL, 10) + 1; }
int main(void) {
  char ***own = (char ***)dlsym(RTLD_DEFAULT, "environ");
  int is_copy = own == &environ && environ && *own == environ && getenv("PATH");
  printf("copy %d, data %ld, slot %ld\n", is_copy, by_data(-3), by_slot("5"));
  return 0;
}
// OUT: copy 1, data 4, slot 6
// CHECK: by_data();
// CHECK-NEXT: by_slot() {
// CHECK-NEXT: strtol [libc.so.6]();
