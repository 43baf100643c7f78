// An alias stands for the place where its name leads: the old function if that or the alias is listed, and a copy else.
// GLUE, a third word of a line, names the new function; comments of the assembler go.
// RUN: printf 'take\trun\trun_of_this_file\nold\trun\tS.run\nold\tfunction\tS.function\nold\tstrong_alias\tS.strong_alias\n' > %t.list
// RUN: %clang -O1 -fPIE %instrument %option-extract=%t.list -c %s -o %t.o && %readelf -rs %t.o | FileCheck %s
// RUN: %clang -O0 -fPIE %instrument %option-extract=%t.list -c %s -o %t.o && %readelf -rs %t.o | FileCheck %s
// CHECK-DAG: PLT32 {{.*}} S.function - 4
// CHECK-DAG: PLT32 {{.*}} S.strong_alias - 4
// CHECK-DAG: FUNC LOCAL DEFAULT {{[0-9]+}} run{{$}}
// CHECK-DAG: FUNC GLOBAL HIDDEN {{[0-9]+}} run_of_this_file{{$}}
// CHECK-NOT: {{ (function|other|strong_alias|other_alias|from_assembler|nophook_klp_new.run)$}}
__asm__(".globl from_assembler; from_assembler: ret");
__attribute__((noinline)) int function(void) { __asm__ volatile(""); return 1; }
int other_alias(void) __attribute__((alias("function")));
__attribute__((noinline)) int other(void) { __asm__ volatile(""); return 2; }
int strong_alias(void) __attribute__((alias("other")));
int run(void) { return other_alias() + strong_alias() + 1; }
