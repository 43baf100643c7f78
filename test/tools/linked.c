// A program that is linked with the runtime gets no second one by LD_PRELOAD.
// RUN: %traced_cc %s -o %t %linked
// RUN: %nophook record -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=LINKED
// RUN: %traced_cc %s -o %t.none
// RUN: env LD_PRELOAD=libm.so.6 %nophook record -o %t.data -- %t.none 2>&1 | FileCheck %s --check-prefix=PRELOADED
// LINKED: LD_PRELOAD=(none)
// LINKED: nophook: 2 events of 1 function
// The user's own preload stays.
// PRELOADED: LD_PRELOAD={{.*}}libnophook.so:libm.so.6
// PRELOADED: nophook: 2 events of 1 function
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const char *preload = getenv("LD_PRELOAD");
  printf("LD_PRELOAD=%s\n", preload ? preload : "(none)");
  return 0;
}
