// A table that is not sorted, names a function twice and points in front of a landing pad: one record for each function, ascending, at its NOP.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
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
        "        .quad second, first, second + 4, first\n"
        "        .popsection\n");
static unsigned long last;
UNTRACED static int ascending(const struct ftrace_record *record, void *count) {
  EXPECT(record->ip > last);
  last = record->ip;
  ++*(int *)count;
  return 0;
}
UNTRACED int main(void) {
  static struct Counted counted = COUNTED(0);
  int count = 0;
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  first(), second();
  EXPECT_EQ(calls_of(&counted), 2);
  EXPECT_EQ(ftrace_location((unsigned long)first), (unsigned long)first);
  EXPECT_EQ(ftrace_location((unsigned long)second), (unsigned long)second + 4);
  EXPECT_EQ(ftrace_for_each_record(ascending, &count), 0);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
