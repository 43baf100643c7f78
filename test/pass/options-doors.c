// An option means the same to clang, to cc1 and as a parameter of the pass.
// RUN: %clang -O1 %instrument %option-min-size=3 -c %s -o %t.o
// RUN: %sites %t.o | FileCheck %s
// RUN: %clang -O1 %instrument -Xclang -plugin-arg-nophook -Xclang min-size=3 -c %s -o %t.cc1.o
// RUN: cmp %t.o %t.cc1.o
// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='nophook<min-size=3>' %t.ll -o %t.bc
// RUN: %clang -O1 -c %t.bc -o %t.opt.o
// RUN: %sites %t.opt.o | FileCheck %s
// CHECK: sites: large{{$}}
int small(int x) { return x; }
int large(int x, int y) { return x * y + x; }
