// -fplugin= and -fpass-plugin= together apply the options once, and none of them adds what they left out.
// RUN: %clang -O1 %instrument %option-min-size=3 -c %s -o %t.one.o
// RUN: %clang -O1 %instrument -fpass-plugin=%plugin %option-min-size=3 -c %s -o %t.both.o
// RUN: cmp %t.one.o %t.both.o
// RUN: %sites %t.both.o | FileCheck %s
// CHECK: sites: large{{$}}
int small(int x) { return x; }
int large(int x, int y) { return x * y + x; }
