// A table of distances that is not sorted, names a function twice, one of the other table, and bytes that are no site: one record for each function, and a line.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: env NOPHOOK=log=stderr %t 2>&1 | FileCheck %s
// CHECK: 2 entries of its table are no sites and are left alone
#include "ops.h"

void first(void), second(void);
__asm__("        .text\n"
        "first:  .byte 0x0f, 0x1f, 0x44, 0, 0x08\n"
        "        ret\n"
        "        .p2align 4\n"
        "second: endbr64\n"
        "        .byte 0x0f, 0x1f, 0x44, 0, 0\n"
        "        ret\n"
        "        .pushsection __mcount_loc, \"aw\", @progbits\n"
        "        .balign 8\n"
        "        .quad first\n"
        "        .popsection\n"
        "        .pushsection __mcount_rel, \"aw\", @progbits\n"
        "        .long second - ., 10, first - ., 6, second - ., 10\n"
        "        .long second + 1 - ., 9, 0x7fffffff, 9\n"
        "        .popsection\n");
UNTRACED int main(void) {
  static struct Counted counted = COUNTED(0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  first(), second();
  EXPECT_EQ(calls_of(&counted), 2);
  EXPECT_EQ(ftrace_location((unsigned long)first), (unsigned long)first);
  EXPECT_EQ(ftrace_location((unsigned long)second), (unsigned long)second + 4);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
