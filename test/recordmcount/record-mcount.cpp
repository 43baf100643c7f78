// gcc's -mrecord-mcount fails to link an inline of two files; repaired, it links and is listed once.
// REQUIRES: gcc, lld
// RUN: %gxx -pg -mfentry -mrecord-mcount -fno-pic -c %s -o %t.1.o && %gxx -DSECOND -pg -mfentry -mrecord-mcount -fno-pic -c %s -o %t.2.o
// RUN: not %clangxx -no-pie -fuse-ld=lld %t.1.o %t.2.o -o %t 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: %recordmcount --verify %t.1.o %t.2.o
// RUN: %clangxx -no-pie -fuse-ld=lld -Wl,--fatal-warnings %tables %t.1.o %t.2.o -o %t && %t
// RUN: %nophook list %t | FileCheck %s --implicit-check-not=shared
// BEFORE: relocation refers to a discarded section
// CHECK: shared()
inline __attribute__((noinline)) int shared() { static int n; return n++; }
int second();
#ifdef SECOND
int second() { return shared(); }
#else
int main() { return shared() + second() - 1; }
#endif
