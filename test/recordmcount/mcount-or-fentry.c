// The same function by -pg and by -pg -mfentry: objdump shows mcount's call behind the frame, __fentry__'s in front of it, and after recordmcount a NOP of six bytes at each place.
// REQUIRES: gcc
// RUN: gcc -O0 -fcf-protection=none -pg -c %s -o %t.mcount.o && gcc %t.mcount.o -o %t.mcount
// RUN: objdump -d %t.mcount | FileCheck %s --check-prefix=MCOUNT
// RUN: gcc -O0 -fcf-protection=none -pg -mfentry -c %s -o %t.fentry.o && gcc %t.fentry.o -o %t.fentry
// RUN: objdump -d %t.fentry | FileCheck %s --check-prefix=FENTRY
// RUN: %recordmcount -q %t.mcount.o && gcc %t.mcount.o -o %t.mcount && objdump -d %t.mcount | FileCheck %s --check-prefix=NOP-MCOUNT
// RUN: %recordmcount -q %t.fentry.o && gcc %t.fentry.o -o %t.fentry && objdump -d %t.fentry | FileCheck %s --check-prefix=NOP-FENTRY
// MCOUNT: <main>:
// MCOUNT-NEXT: 55 {{ *}}push %rbp
// MCOUNT-NEXT: 48 89 e5 {{ *}}mov %rsp,%rbp
// MCOUNT: ff 15 {{.*}} call *0x{{[0-9a-f]+}}(%rip) {{.*}}<mcount@{{GLIBC.*}}>
// FENTRY: <main>:
// FENTRY-NEXT: ff 15 {{.*}} call *0x{{[0-9a-f]+}}(%rip) {{.*}}<__fentry__@{{GLIBC.*}}>
// FENTRY-NEXT: 55 {{ *}}push %rbp
// FENTRY-NEXT: 48 89 e5 {{ *}}mov %rsp,%rbp
// NOP-MCOUNT: <main>:
// NOP-MCOUNT-NEXT: 55 {{ *}}push %rbp
// NOP-MCOUNT-NEXT: 48 89 e5 {{ *}}mov %rsp,%rbp
// NOP-MCOUNT: 67 0f 1f 44 00 00 nopl
// NOP-FENTRY: <main>:
// NOP-FENTRY-NEXT: 67 0f 1f 44 00 00 nopl
// NOP-FENTRY-NEXT: 55 {{ *}}push %rbp
int main(void) {
  volatile int i = 3;
  return i - 3;
}
