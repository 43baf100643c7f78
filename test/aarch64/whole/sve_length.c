// A thread that changes the length of its SVE registers: with shorter ones it keeps all of them over a callback, with longer ones than at the start the first 16 bytes of each.
// RUN: export QEMU_CPU=max,sve-default-vector-length=32
// RUN: %traced_cc -O1 %s -o %t %static && %run_nop %t
#include "program.h"
#include <ftrace.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

enum { kMost = 256 };
static long callbacks;
__attribute__((used, noinline)) void traced(void) { __asm__ volatile("" ::: "memory"); }
UNTRACED static void spoils(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent, (void)ops, (void)regs; // unused
  __asm__ volatile(".arch_extension sve\n index z0.d, 0, 3\n index z7.d, 0, 5\n index z31.d, 1, 7\n pfalse p3.b" ::: "memory");
  callbacks++;
}
// Sets registers, calls, and stores them.
void call_with_vectors(uint64_t *z0, uint64_t *z7, uint64_t *z31, uint8_t *p3);
__asm__(".arch_extension sve\n .pushsection .text\n"
        "call_with_vectors:\n"
        "  stp x29, x30, [sp, -48]!\n stp x0, x1, [sp, 16]\n stp x2, x3, [sp, 32]\n"
        "  index z0.d, 5, 1\n index z7.d, 6, 1\n index z31.d, 7, 1\n ptrue p3.b\n"
        "  bl traced\n"
        "  ldp x0, x1, [sp, 16]\n ldp x2, x3, [sp, 32]\n"
        "  str z0, [x0]\n str z7, [x1]\n str z31, [x2]\n str p3, [x3]\n"
        "  ldp x29, x30, [sp], 48\n ret\n .popsection\n");

// `kept` bytes of each register are what they were.
UNTRACED static void check(int bytes, int kept) {
  uint64_t z[3][kMost / 8];
  uint8_t p3[kMost / 8];
  memset(z, 0xee, sizeof z);
  memset(p3, 0xee, sizeof p3);
  EXPECT_EQ(prctl(PR_SVE_SET_VL, bytes), bytes);
  call_with_vectors(z[0], z[1], z[2], p3);
  for (int i = 0; i < kept / 8; i++)
    EXPECT(z[0][i] == 5ul + i && z[1][i] == 6ul + i && z[2][i] == 7ul + i);
  for (int i = 0; i < kept / 8; i++)
    EXPECT(kept == 16 || p3[i] == 0xff);
  EXPECT(kept == bytes || z[0][2] != 7); // else docs/limits.md says too much
  for (int i = bytes / 8; i < kMost / 8; i++) // nothing writes behind them
    EXPECT(z[0][i] == 0xeeeeeeeeeeeeeeee && p3[i] == 0xee);
}

UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = spoils};
  EXPECT_EQ(prctl(PR_SVE_GET_VL) & 0xffff, 32);
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"traced", 6, 1), 0);
  check(64, 64);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  check(32, 32);
  check(16, 16);
  check(64, 16);
  check(256, 16);
  check(32, 32);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(callbacks, 5);
  return failures != 0;
}
