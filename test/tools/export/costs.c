// Each format has the calls and the times of `report`, or its events: of C with threads, recursion, longjmp and calls through pointers.
// REQUIRES: trace-cmd
// RUN: %traced_cc -O1 %s -o %t && %nophook record -o %t.data -- %t && %debian_python %S/Inputs/every_format.py %nophook %t.data %t.formats | FileCheck %s
// CHECK: 11 formats, 0 events lost
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#define SEEN __attribute__((noinline))
static _Thread_local jmp_buf back;
SEEN int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
SEEN int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
SEEN void leaves(int n) { leaf(n); longjmp(back, 1); }
SEEN int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
SEEN void *work(void *count) {
  int numbers[20], sum = 0;
  for (int i = 0; i < 20; i++)
    numbers[i] = leaf(7 * i % 20);
  qsort(numbers, 20, sizeof *numbers, compare);
  for (volatile int i = 0; i < *(int *)count; i++)
    if (!setjmp(back))
      leaves(i);
  sum += fib(8);
  return sum ? NULL : count;
}
int main(void) {
  pthread_t threads[3];
  int counts[] = {3, 5, 7};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, &counts[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
