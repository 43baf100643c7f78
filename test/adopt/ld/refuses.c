// A file that cannot be traced is linked nevertheless, and a sentence says so: an object that recordmcount refuses, data, another CPU; no linker is an error.
// REQUIRES: gnu-ld
// RUN: rm -rf %t && mkdir %t && cd %t && gcc -O1 -fpatchable-function-entry=5 -c %s -o main.o
// RUN: objcopy --rename-section __patchable_function_entries=__mcount_loc --remove-relocations=__patchable_function_entries main.o bad.o
// RUN: gcc -B%folder bad.o -o bad 2>&1 | FileCheck %s --check-prefix=BAD && ./bad
// RUN: %nophook ld -r -b binary main.o -o data.o && nm data.o | FileCheck %s --check-prefix=DATA && %python -c "import sys; assert open('main.o', 'rb').read() in open('data.o', 'rb').read()"
// RUN: %nophook ld --version | FileCheck %s --check-prefix=VERSION
// RUN: %exits 2 env NOPHOOK_LD=%folder/ld %nophook ld main.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 %nophook ld main.o nothing.o -o none 2>&1 | FileCheck %s --check-prefix=MISSING
// BAD: recordmcount: bad.o: {{.}}
// BAD: nophook: warning: bad.o: cannot be traced
// DATA: _binary_main_o_start
// VERSION: GNU ld
// NONE: nophook: {{.*}}/ld: no such linker is in PATH: NOPHOOK_LD names another one
// MISSING: nothing.o
int main(void) { return 0; }
