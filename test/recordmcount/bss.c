// Arrays without bytes in the file (.bss, .tbss) may be larger than the file.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %recordmcount --verify %t.o | FileCheck %s
// RUN: %clang -O2 -pg -mfentry -c %s -o %t.clang.o && %recordmcount --verify %t.clang.o | FileCheck %s
// RUN: %readelf -S %t.o | FileCheck %s --check-prefix=SECTIONS
// CHECK: 2 sites in 1 objects, 2 new; 1 of 1 files changed
// SECTIONS: .bss {{ *}}NOBITS {{.*}} 100000 00 WA
// SECTIONS: .tbss {{ *}}NOBITS {{.*}} 200000 00 WAT
static char common[1 << 20];
static _Thread_local char own[2 << 20];
__attribute__((noinline)) char read_at(unsigned at) { return common[at] + own[at]; }
int main(int argc, char **argv) {
  (void)argv;
  common[argc] = own[argc] = (char)argc;
  return read_at(0);
}
