// A table that is not sorted, names a function twice and points in front of a landing pad: one record for each function, ascending, at its NOP. The same of distances, beside an address of one function; two of them lead to no site, and a line says so.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cc -O1 -DDISTANCES %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: env NOPHOOK=log=stderr %t 2>&1 | FileCheck %s
// CHECK: 2 entries of its table are no sites and are left alone
#include "ops.h"

#ifdef DISTANCES
#define TABLES                                                                                     \
  "        .pushsection __mcount_loc, \"aw\", @progbits\n"                                           \
  "        .balign 8\n"                                                                            \
  "        .quad first\n"                                                                          \
  "        .popsection\n"                                                                          \
  "        .pushsection __mcount_rel, \"aw\", @progbits\n"                                           \
  "        .long second - ., 10, first - ., 6, second - ., 10\n"                                   \
  "        .long second + 1 - ., 9, 0x7fffffff, 9\n"                                               \
  "        .popsection\n"
#else
#define TABLES                                                                                     \
  "        .pushsection __mcount_loc, \"aw\", @progbits\n"                                           \
  "        .balign 8\n"                                                                            \
  "        .quad second, first, second + 4, first\n"                                               \
  "        .popsection\n"
#endif
void first(void), second(void);
__asm__("        .text\n"
        "first:  .byte 0x0f, 0x1f, 0x44, 0, 0x08\n"
        "        ret\n"
        "        .p2align 4\n"
        "second: endbr64\n"
        "        .byte 0x0f, 0x1f, 0x44, 0, 0\n"
        "        ret\n" TABLES);
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
