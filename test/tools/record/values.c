// A wrong value of a setting is refused before the program starts, in the words of the runtime, and the recording that is there stays; a value that the runtime takes is not refused.
// RUN: %traced_cc %s -o %t
// RUN: %python %S/Inputs/values.py %nophook %lib/libnophook.so %t %t.scratch | FileCheck %s
// CHECK: {{[1-9][0-9]}} wrong values, {{[1-9][0-9]}} right ones
#include <stdio.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  work(count);
  return count > 1 && !fopen(arguments[1], "w");
}
