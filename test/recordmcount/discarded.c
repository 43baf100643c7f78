// --gc-sections of lld drops the entry with its function; GNU ld's does as well.
// REQUIRES: gcc, lld, gnu-ld
// RUN: %gcc -ffunction-sections -pg -mfentry -c %s -o %t.o && %recordmcount %t.o
// RUN: %clang -fuse-ld=lld -Wl,--gc-sections %tables %t.o -o %t.lld && %nophook list %t.lld | FileCheck %s --implicit-check-not=dead
// RUN: gcc -Wl,--gc-sections %tables %t.o -o %t.bfd && %nophook list %t.bfd | FileCheck %s --implicit-check-not=dead
// CHECK: main
int dead(int a) { return a + 1; }
int main(void) { return 0; }
