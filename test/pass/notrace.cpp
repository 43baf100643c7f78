// notrace of <ftrace.h> keeps functions out through both flags, lambdas included.
// RUN: %clangxx -O0 %instrument -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clangxx -O0 -fpass-plugin=%plugin -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clang -x c -std=c99 -pedantic -Werror -O0 %instrument -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=C
#include <ftrace.h>
// CHECK: sites: _Z4loudv{{$}}
// C: sites: loud{{$}}
void loud(void) {}
notrace void quiet(void) {}
static notrace void local(void) {}
NOPHOOK_NOTRACE void user(void) { local(); }
#ifdef __cplusplus
struct Struct { notrace void quiet() {} };
template <class T> notrace T made(T x) { return x; }
notrace int use() { Struct().quiet(); return [](int x) notrace { return x; }(made(3)); }
#endif
