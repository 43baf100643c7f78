// Without an rseq area in each thread the setting is refused with the reason, and the program is recorded without it.
// RUN: %traced_cc %s -o %t
// RUN: env GLIBC_TUNABLES=glibc.pthread.rseq=0 %nophook record -p function_graph --off-cpu -o %t.data %t 2>&1 | FileCheck %s --check-prefix=LOG
// RUN: %nophook report %t.data | FileCheck %s --implicit-check-not=off_cpu
// LOG: off_cpu{{.*}}rseq
// CHECK: sleeps();
#include <unistd.h>
__attribute__((noinline)) static void sleeps(void) { usleep(2000); }
int main(void) { sleeps(); }
