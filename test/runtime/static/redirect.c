// A static call, or what has become of it, is redirected to a function wherever that begins, at an odd address, too: it gets its arguments, returns to the caller, and can be taken back.
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: env NOPHOOK=static=1 %t static && %t
#include "calls.h"
long at_odd_address(long a);
__asm__(".pushsection .text\n"
        "        .balign 16, 0xcc\n"
        "        .byte 0xcc\n"
        "at_odd_address:\n"
        "        lea 100(%rdi), %rax\n"
        "        ret\n"
        ".popsection\n");
UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  long differing = text_differing();
  unsigned long new_function = (unsigned long)at_odd_address;
  __asm__("" : "+r"(new_function)); // gcc believes to know that it is even
  EXPECT_EQ(new_function & 1, 1);
  EXPECT_EQ(register_ftrace_redirect((unsigned long)one, new_function), 0);
  EXPECT_EQ(one(41), 141);
  EXPECT_EQ(register_ftrace_redirect((unsigned long)many, (unsigned long)variadic), 0);
  EXPECT_EQ(many(0, 2, 3, 4, 5, 6, 7, 8), 0);
  EXPECT_EQ(unregister_ftrace_redirect((unsigned long)many), 0);
  EXPECT_EQ(unregister_ftrace_redirect((unsigned long)one), 0);
  call_all();
  EXPECT_EQ(text_differing(), count > 1 ? 0 : differing);
  return failures;
}
