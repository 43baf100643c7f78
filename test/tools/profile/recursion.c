// The profile's time of a function that calls itself is that of the outermost calls, also where exceptions of C, longjmp, have left some: no more than what the program took, as report --top has it. The average is of all calls.
// RUN: %traced_cc %s -o %t && %nophook record -p profile -o %t.data -- %t && %nophook report --json %t.data > %t.json
// RUN: %python %S/Inputs/recursion.py %t.json
#include <setjmp.h>
#include <time.h>
static jmp_buf back;
__attribute__((noinline)) static void pause_a_little(void) {
  struct timespec time = {0, 2000000};
  nanosleep(&time, 0);
}
__attribute__((noinline)) static void deep(int n) {
  if (n % 10 == 0)
    pause_a_little();
  if (n == -1)
    longjmp(back, 1);
  if (n != 0)
    deep(n - 1);
  __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) static void below(int n) { // deeper than the calls that were left
  volatile char room[4096];
  room[n] = 0;
  deep(n);
  room[n] = 0;
}
int main(void) {
  deep(100);
  if (!setjmp(back))
    deep(-1);
  below(50);
}
