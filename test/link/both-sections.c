// Addresses of other compilers, in __patchable_function_entries, stand in a table beside the plugin's distances.
// REQUIRES: gcc, lld, gnu-ld
// RUN: %clang -O1 %instrument -c %s -o %t.clang.o
// RUN: gcc -O1 -DGCC -fpatchable-function-entry=5 -c %s -o %t.gcc.o
// RUN: %clang %t.clang.o %t.gcc.o %tables -fuse-ld=lld -o %t.lld
// RUN: %readelf -S -s %t.lld | FileCheck %s
// RUN: %clang %t.clang.o %t.gcc.o %tables -fuse-ld=bfd -o %t.bfd
// RUN: %readelf -S -s %t.bfd | FileCheck %s

// An entry of 8 bytes each: the plugin of LLVM 19 has no distances.
// CHECK-NOT: __patchable_function_entries
// CHECK: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} {{000010|000008}}
// CHECK-NOT: __patchable_function_entries
#ifdef GCC
int other(int x) { return x * 3; }
#else
int other(int x);
int main(void) { return other(0); }
#endif
