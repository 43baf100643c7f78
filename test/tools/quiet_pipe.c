// `report | head` is quiet and no failure, whatever the size of the recording.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t 2>/dev/null
// RUN: bash -c 'set -o pipefail; %nophook report %t.data 2>%t.err | head -n 3 >%t.out'
// RUN: count 3 < %t.out
// RUN: count 0 < %t.err
// RUN: %nophook report --head 20 %t.data | grep -vc "^#" | grep -x 20 && %nophook report --head 1 %t.data | grep -v "^#" | count 1
// RUN: %nophook report --head 1 --top %t.data | count 2 && %nophook report --head 20 --json %t.data | count 20
// RUN: %exits 1 %nophook report %t.data > /dev/full 2> %t.err
// RUN: FileCheck %s < %t.err
// CHECK: nophook: standard output: cannot be written: No space left on device
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 100000; i++)
    work(i);
  return 0;
}
