// Callers in a library without sites have names, also where the process is gone before anybody has looked at it: it was killed, without a recorder.
// RUN: %clang -DLIBRARY -shared -fPIC -O1 %s -o %t.so && %traced_cc %s -o %t %t.so && rm -rf %t.run && mkdir %t.run
// RUN: not --crash env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK=current_tracer=function %t
// RUN: %nophook report %t.run/nophook | FileCheck %s
// RUN: %nophook recover -o %t.data %t.run/nophook && %nophook report %t.data | FileCheck %s
// CHECK: main <-
// CHECK: called <-calls_back
#ifdef LIBRARY
int calls_back(int (*function)(int)) { return function(1) + 1; }
#else
#include <stdlib.h>
int calls_back(int (*function)(int));
__attribute__((noinline)) static int called(int n) {
  if (n == 7)
    abort();
  return n;
}
int main(void) { return calls_back(called) + called(7); }
#endif
