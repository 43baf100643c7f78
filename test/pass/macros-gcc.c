// With gcc notrace keeps functions out of -pg and alwaystrace is nothing, without a warning.
// REQUIRES: gcc
// RUN: gcc -std=gnu99 -Wall -Wextra -pedantic -Werror -O1 -pg -mfentry -fno-pie -I%include -S %s -o - | FileCheck %s
// RUN: gcc -O1 -I%include -S %s -o %t.s && gcc -O1 -Dnotrace= -Dalwaystrace= -I%include -S %s -o - | diff %t.s -
#include <ftrace.h>
// CHECK: loud:
// CHECK: call{{.*}}__fentry__
// CHECK: quiet:
// CHECK-NOT: __fentry__
alwaystrace int loud(int x) { return x * 3; }
notrace int quiet(int x) { return x * 5; }
