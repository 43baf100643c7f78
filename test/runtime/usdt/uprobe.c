// The kernel's uprobes, by which perf and bpftrace attach, count each entry and return of the chosen functions, no others, and only while they are attached; their hold on the semaphore is what lets the probes fire.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 %s -o %t %linked && %S/Inputs/probes.py %runtime > %t.probes && FileCheck %s < %t.probes
// RUN: env NOPHOOK="set_usdt_filter=work,other" %t %runtime < %t.probes
// CHECK: nophook:function__entry {{[0-9]+ [0-9]+}} 8@%rdi 8@%rsi 8@
// CHECK: nophook:function__return {{[0-9]+ [0-9]+}} 8@%rdi 8@%rsi 8@
#include "program.h"
#include <string.h>
#include "uprobe.h"

NOINLINE int work(int n) { KEEP(n); return n; }
NOINLINE int other(int n) { KEEP(n); return n; }
NOINLINE int aside(int n) { KEEP(n); return n; }

UNTRACED static void call(int n) {
  for (int i = 0; i < n; i++)
    work(i), other(i), aside(i);
}

UNTRACED int main(int count, char **arguments) {
  uint64_t place[2], semaphore[2];
  for (int i = 0; i < 2; i++)
    EXPECT_EQ(scanf("%*s %lu %lu %*[^\n]", &place[i], &semaphore[i]), 2);
  call(3);
  int entry = open_probe_at(arguments[count - 1], place[0], semaphore[0]);
  call(5);
  int back = open_probe_at(arguments[count - 1], place[1], semaphore[1]);
  call(7);
  EXPECT_EQ(hits_of(entry), 24);
  EXPECT_EQ(hits_of(back), 14);
  close(entry);
  call(11);
  EXPECT_EQ(hits_of(back), 36);
  close(back);
  call(1);
  entry = open_probe_at(arguments[count - 1], place[0], semaphore[0]);
  EXPECT_EQ(hits_of(entry), 0);
  close(entry);

  // Without a semaphore's raise the probes do not fire, however many calls there are.
  entry = open_probe_at(arguments[count - 1], place[0], 0);
  call(5);
  EXPECT_EQ(hits_of(entry), 0);
  return failures;
}
