// With include lists, only functions that one of them names have a site, and exclude beats include.
// RUN: echo 'fun:a*' > %t.a && echo 'fun:b*' > %t.b && echo 'fun:*2' > %t.no
// RUN: %clang %instrument %option-include=%t.a -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=ONE
// RUN: %clang %instrument %option-include=%t.a %option-include=%t.b -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=TWO
// RUN: %clang %instrument %option-exclude=%t.no %option-include=%t.a -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=LESS
// RUN: echo 'src:*/include.c' > %t.a
// RUN: %clang %instrument %option-include=%t.a -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=ALL
// ONE: sites: a1 a2{{$}}
// TWO: sites: a1 a2 b1{{$}}
// LESS: sites: a1{{$}}
// ALL: sites: a1 a2 b1 c1{{$}}
void a1(void) {}
void a2(void) {}
void b1(void) {}
void c1(void) {}
