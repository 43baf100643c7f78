// A recording that is compressed is smaller and says the same; cut anywhere, it is readable up to there; a second reader agrees.
// REQUIRES: zstd
// RUN: %traced_cc %s -o %t && %nophook record -z -a -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook report --json %t.data > %t.json && %python %S/Inputs/numbers.py %t.json 40000
// RUN: %python %S/../../support/recording.py %nophook %t.data | FileCheck %s --check-prefix=AGREE
// RUN: sh -c 'size=$(stat -c %%s %t.data); test $size -lt $((80000 * 8)) && head -c $((size / 2)) %t.data > %t.cut'
// RUN: %exits 1 %nophook report --json %t.cut > %t.json && %python %S/Inputs/numbers.py %t.json
// CHECK: nophook: 80002 events of 2 functions in 1 thread, 0 events lost
// AGREE: 80002 events of 1 threads agree
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 40000; i++)
    work(i);
  return 0;
}
