// exclude lists keep functions out by symbol, demangled name and compiled file; sections of others do not count.
// RUN: printf '# comment\nfun:c_*\nfun:ns::quiet(*\nfun:_Z9by_symbolv\n[address]\nfun:*loud*\n[nophook]\nfun:mi?e()\n' > %t.list
// RUN: %clangxx -O1 %instrument %option-exclude=%t.list -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: printf 'src:*/exclude.cpp\n' > %t.list
// RUN: %clangxx -O1 %instrument %option-exclude=%t.list -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=NONE
// RUN: printf 'mainfile:*/exclude.cpp\n' > %t.list
// RUN: %clangxx -O1 %instrument %option-exclude=%t.list -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=NONE
// RUN: printf 'src:*/other.cpp\n' > %t.list
// RUN: %clangxx -O1 %instrument %option-exclude=%t.list -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=ALL
// CHECK: sites: _Z4loudv _ZN2ns4loudEv{{$}}
// NONE: sites:{{$}}
// ALL: sites: _Z4loudv _Z4minev _Z9by_symbolv _ZN2ns4loudEv _ZN2ns5quietEi c_quiet{{$}}
extern "C" void c_quiet() {}
namespace ns { void quiet(int) {} void loud() {} }
void by_symbol() {}
void mine() {}
void loud() {}
