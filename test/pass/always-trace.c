// alwaystrace works in C of every standard, also as [[nophook::always_trace]].
// RUN: %clang -std=c99 -pedantic -Werror -O1 %instrument %option-min-size=1000 -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clang -std=c23 -pedantic -Werror -O1 %instrument %option-min-size=1000 -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=C23
#include <ftrace.h>
// CHECK: sites: work{{$}}
// C23: sites: attribute work{{$}}
int alwaystrace work(int x) { return x; }
int plain(int x) { return x; }
#if __STDC_VERSION__ > 201710L
[[nophook::always_trace]] int attribute(int x) { return x; }
#endif
