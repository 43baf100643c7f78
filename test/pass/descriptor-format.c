// A descriptor is the 16 bytes of struct nophook_args: start, size, call, prototype.
// RUN: %clang %instrument -O2 -I%include -c %s -o %t.o
// RUN: %readelf -S -s -x __ftrace_args %t.o | FileCheck %s
#include "nophook/args.h"
_Static_assert(sizeof(struct nophook_args) == 16, "the contract");
_Static_assert(NOPHOOK_ARGS_CALL(NOPHOOK_CALL_COPY, 0, 16) == 0x00020082, "the third word below");
_Static_assert(NOPHOOK_ARGS_CALL(0, NOPHOOK_REASON_VARIADIC, 0) == 0x00020004, "and of the second");

// CHECK: __ftrace_args PROGBITS {{.*}} 000020 00 WAL
long eight(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + b + c + d + e + f + g + h;
}
// CHECK: 0x00000000 00000000 {{[1-9a-f][0-9a-f]|[0-9a-f][1-9a-f]}}000000 82000200 {{[0-9a-f]+}}
// CHECK: 0x00000010 00000000 {{[1-9a-f][0-9a-f]|[0-9a-f][1-9a-f]}}000000 04000200 {{[0-9a-f]+}}
int variadic(int a, ...) { return a; }
