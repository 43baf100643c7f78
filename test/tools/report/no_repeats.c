// func-no-repeats: calls of one function from one place are one line and a count of the others, with the time of the last.
// RUN: %traced_cc %s -o %t && %nophook record -p function -l leaf -l outer -o %t.data -- %t
// RUN: %nophook report -O func-no-repeats %t.data | FileCheck %s
// RUN: %nophook report -O nofunc-no-repeats %t.data | FileCheck %s --check-prefix=ALL
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int outer(int n) { for (int i = 0; i < 9; i++) n += leaf(i); return n; }
int main(void) {
  int sum = outer(1);
  sum += leaf(1);
  for (int i = 0; i < 5; i++) sum += leaf(i);
  return !sum;
}
// CHECK: : outer <-main{{$}}
// CHECK-NEXT: : leaf <-outer{{$}}
// CHECK-NEXT: : leaf <-outer (repeats: 8, last_ts: {{ *[0-9]+\.[0-9]+}}){{$}}
// CHECK-NEXT: : leaf <-main{{$}}
// CHECK-NEXT: : leaf <-main{{$}}
// CHECK-NEXT: : leaf <-main (repeats: 4, last_ts: {{ *[0-9]+\.[0-9]+}}){{$}}
// CHECK-NOT: {{.}}
// ALL-COUNT-9: : leaf <-outer{{$}}
// ALL-COUNT-6: : leaf <-main{{$}}
