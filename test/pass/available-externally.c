// The copy of an inline function that only serves the optimizer makes neither site nor entry.
// RUN: %clang -O1 %instrument -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %readelf -S -s %t.o | FileCheck %s --check-prefix=OBJECT -DTABLE=%table
// CHECK: sites: user{{$}}
// OBJECT: [[TABLE]] PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000008
// OBJECT: NOTYPE GLOBAL DEFAULT UND elsewhere
__attribute__((noinline)) inline int elsewhere(int x) { return x * 3; }
int user(int x) { return elsewhere(x); }
