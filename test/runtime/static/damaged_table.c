// An entry that points at bytes which look like a call through memory, where there is no memory, is no site; the static calls beside it are traced.
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %gcc -DDAMAGED -c %s -o %t.damaged.o && %link_kept %t.o %t.damaged.o -o %t %linked
// RUN: env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// RUN: env NOPHOOK="static=1 log=stderr" %t 2> %t.err && FileCheck %s < %t.err
// CHECK: : 2 entries of its table are no sites and are left alone
// CHECK: ftrace: allocating 4 entries
#ifdef DAMAGED
__asm__(".pushsection .text.damaged,\"ax\"\n"
        "        ret\n"
        "771:    .byte 0xff, 0x15, 0, 0, 0, 0x70\n"
        "772:    .byte 0xff, 0x15, 0, 0, 0, 0x90\n"
        "        .zero 16\n"
        ".popsection\n"
        ".pushsection __mcount_loc,\"awo\",@progbits,.text.damaged\n"
        "        .balign 8\n"
        "        .quad 771b + 1, 772b + 1\n"
        ".popsection\n");
#else
#include "calls.h"
UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = count_hit};
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  call_all();
  EXPECT_EQ(hits, kFunctions);
  return failures;
}
#endif
