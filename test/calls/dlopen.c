// A library that comes by dlopen has its calls traced, too, each time, and takes them along.
// RUN: %traced_cc -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc %s -ldl -o %t && %nophook record --calls -o %t.data %t %t.so | FileCheck %s --check-prefix=OUT
// RUN: %nophook report --by function %t.data 2>&1 | FileCheck %s
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef LIBRARY
int number_of(const char *text) { return (int)strtoul(text, 0, 10); }
#else
int main(int count, char **words) {
  int sum = 0;
  for (int i = 0; i < 20 && count > 1; i++) {
    void *library = dlopen(words[1], i % 2 ? RTLD_NOW : RTLD_LAZY);
    int (*number_of)(const char *) = (int (*)(const char *))dlsym(library, "number_of");
    sum += number_of("12");
    dlclose(library);
  }
  printf("sum %d\n", sum);
  return 0;
}
#endif
// OUT: sum 240
// CHECK-DAG: 20 {{.*}}number_of
// CHECK-DAG: 20 {{.*}}strtoul [libc.so.6]
// CHECK-DAG: 20 {{.*}}dlopen [libc.so.6]
// CHECK-DAG: 20 {{.*}}dlclose [libc.so.6]
