// A running process: attach, start, top and live record its calls into libraries with --calls, and filters choose
// among them.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/serving_calls.py %nophook %lib/libnophook.so %t %t.data
// RUN: echo 3 | %nophook live --calls --show top -- %t 2>/dev/null | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int count;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (scanf("%d", &count) == 1) { // so many calls, then an answer
    for (int i = 0; i < count; i++)
      srand((unsigned)i);
    puts("done");
  }
  return 0;
}
// CHECK-DAG: 3 {{.*}}srand [libc.so.6]
// CHECK-DAG: 1 {{.*}}main
