// gcc's nested functions get their site at the entry: the call and the endbr64 change places with the push of the static chain, and a second run changes nothing.
// REQUIRES: gcc
// RUN: %gcc -g -Wno-pedantic -fno-pic -pg -mfentry -c %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s --check-prefix=LIST
// RUN: %objdump -d %t.o | FileCheck %s --check-prefixes=CODE,NOP5 && cp %t.o %t.again.o && %recordmcount -q %t.again.o && cmp %t.o %t.again.o
// RUN: %gcc -g -fPIC -fcf-protection -pg -mfentry -mrecord-mcount -c %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s --check-prefix=PAD
// RUN: %objdump -d %t.o | FileCheck %s --check-prefixes=CODE,ENDBR,NOP6
// NOPs that gcc wrote itself.
// RUN: %gcc -g -fno-pic -pg -mfentry -mrecord-mcount -mnop-mcount -c %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s --check-prefix=LIST
// RUN: %objdump -d %t.o | FileCheck %s --check-prefixes=CODE,NOP5
// Calls that are kept.
// RUN: %gcc -g -fno-pic -pg -mfentry -c %s -o %t.o && %recordmcount --keep-calls --verify %t.o && %objdump -dr %t.o | FileCheck %s --check-prefixes=CODE,KEPT
// LIST: .text+0x0 inner
// PAD: .text+0x5 inner
// LIST: 2 functions described (0 entry only)
// PAD: 2 functions described (0 entry only)
// CODE: <inner{{.*}}>:
// ENDBR-NEXT: endbr64
// NOP5-NEXT: 0f 1f 44 00 00 nopl
// NOP6-NEXT: 67 0f 1f 44 00 00 nopl
// KEPT-NEXT: callq
// KEPT-NEXT: R_X86_64_{{PLT32|PC32}} __fentry__-0x4
// CODE-NEXT: 0f 1f 40 00 nopl
// CODE-NOT: %r10{{$}}
int outer(int (*call)(int (*)(int)), int k) {
  __attribute__((noipa)) int inner(int d) { return d + k; }
  return call(inner);
}
