// gdb shows gcc's call of __fentry__ at the entry of a function, as in the kernel, and after recordmcount a NOP of five bytes; no other instruction of the function differs.
// REQUIRES: gcc, gdb
// RUN: gcc -O1 -fno-pie -fcf-protection=none -pg -mfentry -c %s -o %t.o && gcc -static %t.o -o %t
// RUN: gdb -nx -batch -ex 'file %t' -ex 'disassemble schedule' > %t.before && FileCheck %s --check-prefixes=CHECK,CALL < %t.before
// RUN: %recordmcount -q %t.o && gcc -static %t.o -o %t
// RUN: gdb -nx -batch -ex 'file %t' -ex 'disassemble schedule' > %t.after && FileCheck %s --check-prefixes=CHECK,NOP < %t.after
// RUN: sed -n 's/0x[0-9a-f]*//g; s/.*<+[1-9][0-9]*>://p' %t.before > %t.rest && sed -n 's/0x[0-9a-f]*//g; s/.*<+[1-9][0-9]*>://p' %t.after | diff %t.rest -
// CHECK: Dump of assembler code for function schedule:
// CALL-NEXT: <+0>: call{{q?}} 0x{{[0-9a-f]+}} <__fentry__>
// NOP-NEXT: <+0>: nopl 0x0(%rax,%rax,1)
// CHECK-NEXT: <+5>: push %rbx
// CHECK: End of assembler dump.
extern int printf(const char *, ...);
void schedule(int);
void schedule(int n) {
  printf("%d\n", n);
  printf("%d\n", n + 1);
}
int main(void) { schedule(1); }
