// Two g++ objects that share an inline list it once, with its arguments, with GNU ld and with lld, and run.
// REQUIRES: gcc, lld, gnu-ld
// RUN: %gxx -g -pg -mfentry -c %s -o %t.1.o && %gxx -g -DSECOND -pg -mfentry -c %s -o %t.2.o
// RUN: %recordmcount --verify %t.1.o %t.2.o | FileCheck %s --check-prefix=SUMMARY
// RUN: g++ -Wl,--fatal-warnings %tables %t.1.o %t.2.o -o %t.bfd && %t.bfd
// RUN: %nophook list --args %t.bfd | FileCheck %s --implicit-check-not=shared
// RUN: %clangxx -fuse-ld=lld -Wl,--fatal-warnings %tables %t.1.o %t.2.o -o %t.lld && %t.lld
// RUN: %nophook list --args %t.lld | FileCheck %s --implicit-check-not=shared
// SUMMARY: 4 sites in 2 objects, 4 new; 2 of 2 files changed
// CHECK: int shared(const char *text)
inline __attribute__((noinline, noipa)) int shared(const char *text) { static int n; return text ? n++ : -1; }
int second();
#ifdef SECOND
int second() { return shared(""); }
#else
int main() { return shared("") + second() - 1; }
#endif
