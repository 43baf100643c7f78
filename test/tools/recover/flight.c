// record --overwrite keeps the last events, counts all others exactly, and says so; --wait loses none.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record --overwrite -m 1 -l 'work*' -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %nophook report %t.data > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: sh -c 'sed -nE "s/^# ([0-9]+) older.*/\\1/p" %t.txt; %nophook report --json %t.data | grep -c "\"kind\":\"call\""' > %t.sums
// RUN: sh -c 'read o < %t.sums; calls=$(tail -1 %t.sums); test $((400002 - o)) -le $((calls * 2 + 1)) && test $((400002 - o)) -ge $((calls * 2))'
// RUN: %nophook record -p function --overwrite -m 1 -l 'work*' -o %t.calls -- %t && %nophook report %t.calls > %t.txt
// RUN: sh -c 'held=$(grep -c "work.* <-main" %t.txt) && test $held -lt 200001 && grep -q "^# entries-in-buffer/entries-written: $held/200001 " %t.txt'
// RUN: %nophook record --wait 10000 -m 1 -l 'work*' -o %t.waited -- %t 2>&1 | FileCheck %s --check-prefix=WAITED
// RUN: %exits 2 %nophook record --wait 0 -- %t
// RUN: %exits 2 %nophook record --wait 5 --overwrite -- %t
// SAID: nophook: {{[0-9]+}} events of 2 functions in 1 thread, 0 events lost, {{[0-9]+}} overwritten, {{.*}} in
// CHECK: # {{[1-9][0-9]+}} older events were overwritten
// CHECK: work();
// CHECK: work_last();
// WAITED: nophook: 400002 events of 2 functions in 1 thread, 0 events lost, {{[0-9.]+}} MiB
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) static void work_last(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 200000; i++)
    work(i);
  work_last(0);
  return 0;
}
