// AArch64: x30 is the return address until it is changed: a use of it before that is found, and one behind it is not.
// REQUIRES: lld
// RUN: %clang --target=aarch64-linux-gnu -O1 -g -fpatchable-function-entry=1 -c %s -o %t.o && %recordmcount --verify -q %t.o
// RUN: %clang --target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld -Wl,-T,%lds %aarch64-module %t.o -o %t.so
// RUN: %nophook list %t.so | FileCheck %s
#define FUNCTION(name, ...) __attribute__((naked)) void name(void) { __asm__(__VA_ARGS__); }
#define SAVE "stp x29, x30, [sp, #-32]!\n .cfi_def_cfa_offset 32\n .cfi_offset 29, -32\n .cfi_offset 30, -24\n mov x29, sp\n"
#define RESTORE "ldp x29, x30, [sp], #32\n .cfi_restore 30\n .cfi_restore 29\n .cfi_def_cfa_offset 0\n"
#define RETURN RESTORE "ret"
#define IN_BETWEEN RESTORE "ret\n .cfi_def_cfa_offset 32\n .cfi_offset 29, -32\n .cfi_offset 30, -24\n"

// CHECK-DAG: call-through {{ *}}leaf
FUNCTION(leaf, "ret")
// CHECK-DAG: call-through {{ *}}signs
FUNCTION(signs, "paciasp\n" SAVE "bl other\n" RESTORE "autiasp\n ret")
// CHECK-DAG: call-through {{ *}}scratch
FUNCTION(scratch, SAVE "mov x30, #0\n 1: add x0, x0, x30, lsl #1\n add x30, x30, #1\n cbnz x0, 1b\n str x30, [x1]\n" RETURN)
// CHECK-DAG: call-through {{ *}}scratch_after_call
FUNCTION(scratch_after_call, SAVE "bl other\n mov x0, x30\n" RETURN)
// CHECK-DAG: call-through {{ *}}scratch_by_table
FUNCTION(scratch_by_table, SAVE "ldr x30, [x0]\n br x1\n add x0, x0, x30\n" RETURN)

// CHECK-DAG: entry only: reads its return address {{ *}}of_leaf
FUNCTION(of_leaf, "mov x0, x30\n ret")
// CHECK-DAG: entry only: reads its return address {{ *}}kept
FUNCTION(kept, SAVE "mov x19, x30\n bl other\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}stripped
FUNCTION(stripped, SAVE "xpaclri\n bl other\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}spilled
FUNCTION(spilled, SAVE "str x30, [sp, #16]\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}restored
FUNCTION(restored, SAVE "bl other\n" RESTORE "mov x0, x30\n ret")
// CHECK-DAG: entry only: reads its return address {{ *}}on_one_way
FUNCTION(on_one_way, SAVE "cbz x0, 1f\n mov x30, #0\n 1: add x0, x0, x30\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}behind_a_loop
FUNCTION(behind_a_loop, SAVE "b 2f\n 1: mov x0, x30\n" IN_BETWEEN "2: cbz x0, 1b\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}by_table
FUNCTION(by_table, SAVE "br x1\n mov x0, x30\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}reads_place
FUNCTION(reads_place, SAVE "bl other\n ldr x0, [x29, #8]\n" RETURN)
// CHECK-DAG: entry only: reads its return address {{ *}}follows_chain
FUNCTION(follows_chain, SAVE "bl other\n ldr x0, [x29]\n" RETURN)
