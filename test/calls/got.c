// A slot of the GOT is traced if nothing takes the function's address by it: each object says so,
// or its code only calls.
// RUN: %traced_object -fno-plt %s -o %t.o && %traced_cc -Wl,-z,now -Wl,-z,relro %t.o -o %t.1 && %t.1
// RUN: %nophook record --calls -a -o %t.1.data %t.1 && %nophook report %t.1.data 2>&1 | FileCheck %s --check-prefixes=MAIN,ALL
// By gcc's linker; and at a fixed address.
// RUN: %traced_cc -fuse-ld=bfd -Wl,-z,now %t.o -o %t.2
// RUN: %nophook record --calls -a -o %t.2.data %t.2 && %nophook report %t.2.data 2>&1 | FileCheck %s --check-prefixes=MAIN,ALL
// RUN: %traced_cc -fno-pie -no-pie -fno-plt %s -o %t.fixed
// RUN: %nophook record --calls -a -o %t.fixed.data %t.fixed && %nophook report %t.fixed.data 2>&1 | FileCheck %s --check-prefixes=MAIN,ALL
// Another object of the module takes an address: one that says so, and one that is not instrumented.
// RUN: %traced_cc -fno-plt -DOTHER %s %t.o -o %t.3
// RUN: %nophook record --calls -a -o %t.3.data %t.3 && %nophook report %t.3.data 2>&1 | FileCheck %s --check-prefixes=MAIN,NOT --implicit-check-not='srand ['
// RUN: %clang -O1 -fno-plt -fPIC -DOTHER -c %s -o %t.bare.o && %traced_cc %t.bare.o %t.o -o %t.4
// RUN: %nophook record --calls -a -o %t.4.data %t.4 && %nophook report %t.4.data 2>&1 | FileCheck %s --check-prefixes=MAIN,NOT --implicit-check-not='srand ['
// RUN: %nophook list --calls %t.1 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %nophook list --calls %t.3 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %nophook list --calls --json %t.3 | FileCheck %s --check-prefix=JSON
// RUN: %nophook list --calls --summary %t.3 | FileCheck %s --check-prefix=SUMMARY
// RUN: %nophook list --calls %t.4 2>&1 | FileCheck %s --check-prefix=BARE
// An object that is not instrumented and only calls does not matter.
// RUN: %clang -O1 -fno-plt -fPIC -DCALLS -c %s -o %t.calls.o && %traced_cc %t.calls.o %t.o -o %t.5
// RUN: %nophook record --calls -a -o %t.5.data %t.5 && %nophook report %t.5.data 2>&1 | FileCheck %s --check-prefixes=MAIN,ALL
// Without records of its own objects a loaded slot is not traced; one that is only called is, by its entry.
// RUN: %traced_cc -fno-plt -fplugin-arg-nophook-descriptors=off %s -o %t.6
// RUN: %nophook record --calls -a -o %t.6.data %t.6 && %nophook report %t.6.data 2>&1 | FileCheck %s --check-prefix=ENTRY --implicit-check-not='srand ['
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
int is_srand(void *function);
#if defined(OTHER)
int is_srand(void *function) { return function == (void *)(uintptr_t)srand; }
#elif defined(CALLS)
int is_srand(void *function) {
  srand(1);
  return function != 0;
}
#else
#pragma weak is_srand
int main(void) {
  srand(1); // its slot is loaded once
  srand(2);
  srand(3);
  srandom(8);
  return is_srand && !is_srand(dlsym(RTLD_DEFAULT, "srand"));
}
#endif
// MAIN: main() {
// ALL: srand [libc.so.6]({{(0x)?}}1);
// ALL: srand [libc.so.6]({{(0x)?}}2);
// ALL: srand [libc.so.6]({{(0x)?}}3);
// ALL: srandom [libc.so.6]({{(0x)?}}8);
// NOT: srandom [libc.so.6]({{(0x)?}}8);
// ENTRY: srandom [libc.so.6]
// LIST-DAG: call-through GOT, resolved at load, read-only srand [libc.so.6]
// LIST-DAG: jumped to: reads its return address GOT, resolved at load, read-only dlsym [libc.so.6]
// TAKEN: not traced: address taken GOT, resolved at load, read-only srand [libc.so.6]
// JSON: {"function":"srand",{{.*}}"how":"not_traced","reason":"address taken"
// SUMMARY: functions of libraries: [[#]] by the PLT, [[#]] by the GOT alone; {{[1-9][0-9]*}} call-through, {{[1-9][0-9]*}} entry only, {{[1-9][0-9]*}} not traced
// BARE: not traced: code without records may take its address GOT, {{.*}} srand [libc.so.6]
