// lld --icf=all: functions folded into one are listed once, and traced under both calls.
// REQUIRES: lld
// RUN: %clang -O1 %instrument -ffunction-sections -faddrsig %s %tables -fuse-ld=lld -Wl,--icf=all -o %t
// RUN: %listed %t | FileCheck %s
// RUN: %nophook list %t | FileCheck %s --check-prefix=LIST --implicit-check-not=second
// RUN: %nophook record -p function -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=RECORD
// CHECK: each function once: 3
// LIST: call-through first
// RECORD: nophook: 11 events of 2 functions
__attribute__((noinline)) int first(int x) { __asm__ volatile(""); return x * 3; }
__attribute__((noinline)) int second(int x) { __asm__ volatile(""); return x * 3; }
__attribute__((noinline)) int third(int x) { __asm__ volatile(""); return x * 5; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += first(i) - second(i);
  return sum;
}
