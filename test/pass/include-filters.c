// Being in the include list is no privilege: min-size and only-exported still apply.
// RUN: echo 'fun:*' > %t.list
// RUN: %clang -O1 %instrument %option-include=%t.list %option-min-size=3 %option-only-exported -c %s -o %t.o
// RUN: %sites %t.o | FileCheck %s
// CHECK: sites: large{{$}}
int small(int x) { return x; }
int large(int x, int y) { return x * y + x; }
__attribute__((used)) static int local(int x, int y) { return x * y + x; }
