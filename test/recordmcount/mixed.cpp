// The plugin's, gcc's and assembly's objects share an inline: each function is listed and traced once.
// REQUIRES: gcc, lld, gnu-ld
// RUN: %clangxx -O1 %instrument -fPIE -DNAME=main -c %s -o %t.1.o && %gxx -g -fPIE -pg -mfentry -DNAME=by_gcc -c %s -o %t.2.o
// RUN: %gxx -fPIE -pg -mfentry -DNAME=by_assembly -S %s -o %t.3.s && %mc %t.3.s -o %t.3.o
// RUN: %clangxx -O1 -fPIE -fpatchable-function-entry=5 -DNAME=by_clang -c %s -o %t.4.o && %mc %S/Inputs/by_hand.s -o %t.5.o
// RUN: %recordmcount --verify %t.1.o %t.2.o %t.3.o %t.4.o %t.5.o
// RUN: %clangxx -fuse-ld=lld -Wl,--fatal-warnings %tables %t.1.o %t.2.o %t.3.o %t.4.o %t.5.o -o %t.lld && g++ -Wl,--fatal-warnings %tables %t.3.o %t.1.o %t.2.o %t.4.o %t.5.o -o %t.bfd
// RUN: bash -ec 'for f in lld bfd; do rm -rf %t.data; %nophook record -p function -o %t.data -- %t.$f; (%nophook list %t.$f | grep -o "[a-z_]*\((\|$\)" | sort; %nophook report %t.data | grep -o "[a-z_]* <-" | sort | uniq -c) | FileCheck %s; done'
// CHECK: {{^}}by_assembly
// CHECK-NEXT: {{^}}by_clang
// CHECK-NEXT: {{^}}by_gcc
// CHECK-NEXT: {{^}}by_hand
// CHECK-NEXT: {{^}}main
// CHECK-NEXT: {{^}}shared
// CHECK-NEXT: 1 by_assembly <-
// CHECK-NEXT: 1 by_clang <-
// CHECK-NEXT: 1 by_gcc <-
// CHECK-NEXT: 1 by_hand <-
// CHECK-NEXT: 1 main <-
// CHECK-NEXT: 4 shared <-
// CHECK-NOT: {{.}}
inline __attribute__((noinline)) int shared() { static int n; return ++n; }
int by_gcc(), by_assembly(), by_clang();
extern "C" int by_hand(int);
#define IS_main 1
#define IS(name) IS_(name)
#define IS_(name) IS_##name
#if IS(NAME)
int main() { return by_hand(shared() + by_gcc() + by_assembly() + by_clang()) - 11; }
#else
int NAME() { return shared(); }
#endif
