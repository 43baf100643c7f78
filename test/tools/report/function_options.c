// The function tracer's options are shown as the kernel shows them: addresses, offsets, no parent, process ids, no flags.
// RUN: %traced_cc %s -o %t && %nophook record -p function -l outer -l leaf -o %t.data -- %t
// RUN: %python -c "import os; print('/2   #P:%d' % os.sysconf('SC_NPROCESSORS_ONLN'))" > %t.cpus
// RUN: %nophook report %t.data | grep -q -f %t.cpus
// RUN: %nophook report -O sym-offset %t.data | FileCheck %s --check-prefix=OFFSET
// RUN: %nophook report --option=sym-addr %t.data | FileCheck %s --check-prefix=ADDR
// RUN: %nophook report -O noprint-parent %t.data | FileCheck %s --check-prefix=ALONE
// RUN: %nophook report -O noirq-info -O record-tgid %t.data | FileCheck %s --check-prefix=TGID --match-full-lines --strict-whitespace
// RUN: %nophook report -O noirq-info %t.data | FileCheck %s --check-prefix=PLAIN --match-full-lines --strict-whitespace
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int outer(int n) { return leaf(n) + 1; }
int main(int count, char **arguments) { (void)arguments; return outer(count) - 2; }
// OFFSET: : outer+0x{{[04]}}/0x{{[0-9a-f]+}} <-main+0x{{[1-9a-f][0-9a-f]*}}/0x{{[0-9a-f]+$}}
// OFFSET-NEXT: : leaf+0x{{[04]}}/0x{{[0-9a-f]+}} <-outer+0x{{[1-9a-f][0-9a-f]*}}/0x{{[0-9a-f]+$}}
// ADDR: : outer <{{0000[0-9a-f]+}}> <-main <{{0000[0-9a-f]+>$}}
// ADDR-NEXT: : leaf <{{0000[0-9a-f]+}}> <-outer <{{0000[0-9a-f]+>$}}
// ALONE: : outer{{$}}
// ALONE-NEXT: : leaf{{$}}
//      TGID:# tracer: function
// TGID-NEXT:#
// TGID-NEXT:# entries-in-buffer/entries-written: 2/2   #P:{{[0-9]+}}
// TGID-NEXT:#
// TGID-NEXT:#           TASK-TID       PID     CPU#     TIMESTAMP  FUNCTION
// TGID-NEXT:#              | |           |       |         |         |
// TGID-NEXT: function_option-[[TID:[0-9]+]]{{ +}}({{ *}}[[TID]]) [{{[0-9]+}}]  {{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}}: outer <-main
//      PLAIN:#           TASK-TID     CPU#     TIMESTAMP  FUNCTION
// PLAIN-NEXT:#              | |         |         |         |
// PLAIN-NEXT: function_option-{{[0-9]+ +}}[{{[0-9]+}}]  {{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}}: outer <-main
