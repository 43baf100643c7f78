// A callback may run in SME's streaming mode, which lacks FFR: registers are what they were, and the program lives. The
// thread's first callback was before: its system calls would end the mode.
// RUN: export QEMU_CPU=max,sme_fa64=off
// RUN: %traced_cc -O1 %s -o %t %static && %run_nop %t
#include "program.h"
#include <ftrace.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

static long callbacks;
__attribute__((used, noinline)) void traced(void) { __asm__ volatile("" ::: "memory"); }
UNTRACED static void spoils(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent, (void)ops, (void)regs; // unused
  __asm__ volatile(".arch_extension sve\n index z0.d, 0, 3\n index z31.d, 1, 7\n pfalse p3.b" ::: "memory");
  callbacks++;
}
// Sets registers in streaming mode, calls, and stores them.
void call_in_streaming_mode(uint64_t *z0, uint64_t *z31, uint64_t *p3);
__asm__(".arch_extension sme\n .pushsection .text\n"
        "call_in_streaming_mode:\n"
        "  stp x29, x30, [sp, -48]!\n stp x0, x1, [sp, 16]\n str x2, [sp, 32]\n"
        "  smstart sm\n index z0.d, 5, 1\n index z31.d, 7, 1\n ptrue p3.d\n"
        "  bl traced\n"
        "  ldp x0, x1, [sp, 16]\n ldr x2, [sp, 32]\n"
        "  str z0, [x0]\n str z31, [x1]\n str p3, [x2]\n"
        "  smstop sm\n ldp x29, x30, [sp], 48\n ret\n .popsection\n");

UNTRACED static void check(void) {
  uint64_t z0[32] = {0}, z31[32] = {0}, p3[4] = {0};
  call_in_streaming_mode(z0, z31, p3);
  EXPECT_EQ(p3[0] & 0xffff, 0x0101);
  for (int i = 0; i < 4; i++) { // 32 bytes or more
    EXPECT_EQ(z0[i], 5 + i);
    EXPECT_EQ(z31[i], 7 + i);
  }
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = spoils};
  EXPECT(getauxval(AT_HWCAP2) & 1 << 23); // SME: qemu has it
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"traced", 6, 1), 0);
  check();
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  traced();
  check();
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(callbacks, 2);
  return failures != 0;
}
