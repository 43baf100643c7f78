// Five one-byte NOPs of gcc become one instruction, recorded in a table that linkers keep.
// REQUIRES: gcc
// RUN: %gcc -fpatchable-function-entry=5 -c %s -o %t.o && %recordmcount --verify %t.o | FileCheck %s --check-prefix=SUMMARY
// RUN: %objdump -d %t.o | FileCheck %s
// RUN: %readelf -S %t.o | FileCheck %s --check-prefix=TABLE
// SUMMARY: 2 sites in 1 objects, 2 new; 1 of 1 files changed, 1 tables of the compiler repaired
// CHECK-LABEL: <one>:
// CHECK-NEXT: 0f 1f 44 00 00 nopl
// CHECK-LABEL: <two>:
// CHECK-NEXT: 0f 1f 44 00 00 nopl
// TABLE-DAG: __patchable_function_entries PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000000 00 WAL
// TABLE-DAG: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000008 00 WAL
// TABLE-DAG: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000008 00 WAL
int one(int a) { return a + 1; }
__attribute__((section(".text.elsewhere"))) int two(int a) { return a + 2; }
