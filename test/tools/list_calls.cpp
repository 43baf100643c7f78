// list --calls: the functions of libraries that a file calls, by slot, and no data.
// RUN: %traced_cxx -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cxx -Wl,-z,lazy %s %t.so -o %t.lazy
// RUN: %nophook list --calls %t.lazy 2>&1 | FileCheck %s --check-prefixes=PLT,LAZY --implicit-check-not=environ --implicit-check-not=stderr
// RUN: %traced_cxx -Wl,-z,now %s %t.so -o %t.now
// RUN: %nophook list --calls %t.now 2>&1 | FileCheck %s --check-prefixes=PLT,NOW --implicit-check-not=environ --implicit-check-not=stderr
// RUN: %traced_cxx -fno-plt -Wl,-z,now %s %t.so -o %t.got
// RUN: %nophook list --calls %t.got 2>&1 | FileCheck %s --check-prefix=GOT --implicit-check-not=environ --implicit-check-not=stderr
// RUN: %nophook list --calls --json %t.lazy | FileCheck %s --check-prefix=JSON
// RUN: %nophook list --calls --summary %t.lazy | FileCheck %s --check-prefix=SUMMARY
// Section headers may be stripped, and a static program calls no library.
// RUN: %objcopy --strip-all --strip-sections %t.lazy %t.bare && %nophook list --calls %t.bare 2>&1 | FileCheck %s --check-prefixes=PLT,LAZY
// RUN: %traced_cxx -static -DSTATIC %s -o %t.static && %nophook list --calls %t.static 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %exits 2 %nophook list --calls --args %t.lazy 2>&1 | FileCheck %s --check-prefix=USAGE
// A relocation of a symbol that is not there: the others are listed, and the exit status is 1.
// RUN: %nophook list --calls --json %t.lazy | sed -n 's/.*"puts","slot":\([0-9]*\).*/\1/p' > %t.slot
// RUN: xargs %python %inputs/nameless_call.py %t.lazy %t.bad < %t.slot
// RUN: %exits 1 %nophook list --calls %t.bad 2>&1 | FileCheck %s --check-prefix=BAD
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int by_library(int n);
#if defined(LIBRARY) || defined(STATIC)
int by_library(int n) { return n; }
#endif
#ifndef LIBRARY
// Its address alone is used: a word of data, no call.
extern "C" int (*const volatile address)(const char *) = atoi;
int main() { return environ == nullptr || fprintf(stderr, "x") + puts("y") + by_library(1) + address("1") == 0; }
#endif
// PLT-NOT: atoi
// PLT-DAG: {{^[0-9a-f]+}} call-through PLT, resolved {{.*}} puts [libc.so.6]{{$}}
// PLT-DAG: call-through PLT, resolved {{.*}} by_library(int){{$}}
// LAZY-DAG: entry only: variadic PLT, resolved by the first call fprintf [libc.so.6]
// NOW-DAG: PLT, resolved at load, read-only fprintf [libc.so.6]
// PLT: {{^}}[[#]] functions of libraries: [[#]] by the PLT, [[#]] by the GOT alone; {{[1-9][0-9]*}} call-through, {{[1-9][0-9]*}} entry only, [[#]] not traced
// GOT-DAG: call-through GOT, resolved at load, read-only puts [libc.so.6]
// GOT-DAG: GOT, resolved at load, read-only by_library(int){{$}}
// GOT: functions of libraries:
// JSON: {"function":"puts","slot":{{[0-9]+}},"table":"plt","resolved":"by_first_call","read_only":false,"how":"call_through","library":"libc.so.6","version":"GLIBC_2.{{[0-9.]+}}"}
// SUMMARY: {{^}}[[#]] functions of libraries: [[#]] by the PLT
// STATIC: {{^}}0 functions of libraries: 0 by the PLT, 0 by the GOT alone
// BAD-NOT: puts
// BAD: fprintf [libc.so.6]
// BAD: .bad: DT_JMPREL: 1 of [[#]] relocations have no symbol
// USAGE: --args
