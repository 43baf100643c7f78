// Lines come from split debug info, too; a FIFO that has the name of such a file is not waited for: there are no lines then.
// RUN: rm -rf %t && mkdir %t && %traced_cc -Wno-unused-command-line-argument -gsplit-dwarf -c %s -o %t/a.o && %traced_cc %t/a.o -o %t/a
// RUN: %nophook record -o %t/data -- %t/a && %nophook report --srcline %t/data | FileCheck %s
// RUN: mkfifo %t/a.dwp && %nophook report --srcline %t/data | FileCheck %s --check-prefix=NONE
// RUN: rm %t/a.dwp %t/a.dwo && mkfifo %t/a.dwo && %nophook report --srcline %t/data | FileCheck %s --check-prefix=NONE
// RUN: %nophook why work %t/a | FileCheck %s --check-prefix=WHY
// WHY: work: traceable
// CHECK: work(); /* split_dwarf_fifo.c:[[#@LINE+3]] */
// NONE: work();
// NONE-NOT: .c:
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
int main(void) {
  work();
  return 0;
}
