// A full disk ends the recording, not the program, and the file is readable up to there.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t && rm -rf %t.disk && mkdir %t.disk
// RUN: %exits 1 unshare -rm %python %inputs/on_small_disk.py %t.disk %t.data %nophook record -o %t.disk/data -- %t > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// OUT: the program has ended
// ERR: nophook: {{.*}}data: cannot be written: No space left on device: the recording is not complete
// ERR: nophook: {{[1-9][0-9]*}} events of 2 functions
// TOP: work
#include <stdio.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 2000000; i++)
    work(i);
  puts("the program has ended");
  return 0;
}
