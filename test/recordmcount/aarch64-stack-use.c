// AArch64: what code uses above its frame is found, also by an address made in two steps; data in between is not code.
// REQUIRES: lld
// RUN: %clang --target=aarch64-linux-gnu -O1 -g -c %s -o %t.o && %recordmcount --verify -q %t.o
// RUN: %clang --target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld -Wl,-T,%lds %aarch64-module %t.o -o %t.so
// RUN: %nophook list %t.so | FileCheck %s
#define FUNCTION(name, ...) \
  __asm__(".text\n .type " #name ", %function\n " #name ": .cfi_startproc\n" #name "_site: nop\n" \
          __VA_ARGS__ "\n ret\n .cfi_endproc\n .size " #name ", . - " #name "\n" \
          ".section __patchable_function_entries, \"awo\", %progbits, .text\n .quad " #name "_site\n .text\n")
#define LARGE "sub sp, sp, #4, lsl #12\n .cfi_def_cfa_offset 16384\n"
#define LEAVE "\n add sp, sp, #4, lsl #12\n .cfi_def_cfa_offset 0\n"

// CHECK-DAG: call-through {{ *}}none
FUNCTION(none, "str x0, [sp, #-16]!\n .cfi_def_cfa_offset 16\n ldrb w0, [sp, x1]\n ldr x1, [sp], #16\n .cfi_def_cfa_offset 0");
// CHECK-DAG: call-through, copies 8 bytes {{ *}}one
FUNCTION(one, "ldr x0, [sp]");
// CHECK-DAG: call-through, copies 8 bytes {{ *}}small
FUNCTION(small, "ldrsb w0, [sp, #4]");
// CHECK-DAG: call-through, copies 32 bytes {{ *}}pair
FUNCTION(pair, "ldp x0, x1, [sp, #16]");
// CHECK-DAG: call-through, copies 48 bytes {{ *}}vectors
FUNCTION(vectors, "ldp q0, q1, [sp, #16]");
// CHECK-DAG: call-through, copies 40 bytes {{ *}}below_frame
FUNCTION(below_frame, LARGE "ldr x0, [sp, #16416]" LEAVE);
// CHECK-DAG: call-through, copies 24 bytes {{ *}}two_steps
FUNCTION(two_steps, LARGE "add x9, sp, #3, lsl #12\n mov x10, x9\n ldr x0, [x10, #4112]" LEAVE);
// CHECK-DAG: call-through {{ *}}other_value
FUNCTION(other_value, LARGE "add x9, sp, #3, lsl #12\n mov x9, x1\n ldr x0, [x9, #4112]" LEAVE);
// CHECK-DAG: call-through {{ *}}far_local
FUNCTION(far_local, LARGE "add x0, sp, #3, lsl #12\n str xzr, [x0, #8]" LEAVE);

// CHECK-DAG: no descriptor {{ *}}address
FUNCTION(address, "add x0, sp, #8");
// CHECK-DAG: no descriptor {{ *}}by_register
FUNCTION(by_register, LARGE "ldr x0, [sp, x1]" LEAVE);
// CHECK-DAG: no descriptor {{ *}}added_register
FUNCTION(added_register, LARGE "add x0, sp, x1" LEAVE);
// CHECK-DAG: no descriptor {{ *}}data
FUNCTION(data, "b 1f\n .xword 1\n 1:");
// CHECK-DAG: no descriptor {{ *}}damaged
FUNCTION(damaged, ".inst 0xffffffff");
// CHECK-DAG: no descriptor {{ *}}unknown_tail
FUNCTION(unknown_tail, "b unknown");

void other(void) {}
