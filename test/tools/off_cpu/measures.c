// Tables, graphs and folded stacks sum up the time off the CPU alone with --off-cpu, and all but that with nosleep-time.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cc %s -o %t && %nophook record -p function_graph --off-cpu -o %t.data %t
// RUN: %nophook report --json %t.data > %t.json && %nophook report --top --off-cpu --json %t.data > %t.off && %nophook report --top -O nosleep-time --json %t.data > %t.on
// RUN: %nophook report --top --json %t.data > %t.all && %nophook graph --off-cpu --json %t.data > %t.graph && %nophook export --format folded --off-cpu -o %t.folded %t.data
// RUN: %nophook report --json -O nosleep-time %t.data > %t.awake
// RUN: %python %S/Inputs/measures.py %t
// RUN: %nophook record -p function_graph -o %t.without %t
// RUN: %nophook report --top --off-cpu %t.without 2>&1 | FileCheck %s
// CHECK: no call was off the CPU, as far as it was recorded (record --off-cpu)
#include <unistd.h>

__attribute__((noinline)) static void sleeps(void) { usleep(3000); }
__attribute__((noinline)) static void computes(void) {
  for (volatile int i = 0; i < 1000000; i++)
    ;
}
__attribute__((noinline)) static void works(void) {
  computes();
  sleeps();
}

int main(void) {
  for (int i = 0; i < 10; i++)
    works();
}
