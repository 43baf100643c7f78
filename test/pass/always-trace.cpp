// alwaystrace of <ftrace.h> gives a site against every option, wherever it is written.
// RUN: printf 'fun:*\n' > %t.list
// RUN: %clangxx -std=c++20 -O0 %instrument %option-exclude=%t.list %option-only-exported %option-min-size=1000 -I%include -c %s -o %t.o
// RUN: %sites --demangle %t.o | FileCheck %s
// RUN: echo 'fun:none' > %t.list
// RUN: %clangxx -std=c++20 -O0 %instrument %option-include=%t.list -I%include -c %s -o %t.o
// RUN: %sites --demangle %t.o | FileCheck %s
#include <ftrace.h>
// CHECK: sites: Struct::inside()
// CHECK-SAME: Struct::outside()
// CHECK-SAME: behind()
// CHECK-SAME: earlier()
// CHECK-SAME: int made<int>(int)
// CHECK-SAME: local()
// CHECK-SAME: long_name()
// CHECK-SAME: open()
// CHECK-SAME: user()::$_0::operator()(int) const{{$}}
alwaystrace void open() {}
NOPHOOK_ALWAYS_TRACE void long_name() {}
static alwaystrace void local() {}
void alwaystrace behind() {}
alwaystrace void earlier();
void earlier() {}
[[nophook::always_trace]] void standard();
struct Struct { alwaystrace void inside() {} alwaystrace void outside(); void plain() {} };
void Struct::outside() {}
template <class T> alwaystrace T made(T x) { return x; }
int user() { Struct().inside(); Struct().plain(); local(); return [](int x) alwaystrace { return x; }(made(3)); }
