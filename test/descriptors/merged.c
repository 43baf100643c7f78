// Equal prototypes of several files, and equal names, are in the program once.
// REQUIRES: lld, gnu-ld
// RUN: %clang -w -g -O1 %instrument -DNAME=one -c %s -o %t.1.o && %clang -w -g -O1 %instrument -DNAME=two -c %s -o %t.2.o
// RUN: %clang -fuse-ld=lld -Wl,--fatal-warnings %t.1.o %t.2.o -Wl,-T,%lds %module -o %t.lld -Wl,-e,one_f,-z,undefs -nostdlib
// RUN: %readelf -p __ftrace_str -s %t.lld | FileCheck %s
// RUN: %clang -fuse-ld=bfd -Wl,--fatal-warnings %t.1.o %t.2.o -Wl,-T,%lds %module -o %t.bfd -Wl,-e,one_f -nostdlib
// RUN: %readelf -p __ftrace_str -s %t.bfd | FileCheck %s
#define PASTE2(a, b) a##_##b
#define PASTE(a, b) PASTE2(a, b)
long PASTE(NAME, f)(long parameter_name) { return parameter_name * 3; }
// CHECK-COUNT-1: __nophook_proto.
// CHECK-NOT: __nophook_proto.
// CHECK-COUNT-1: parameter_name
// CHECK-NOT: parameter_name
