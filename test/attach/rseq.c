// A thread that is stopped inside a restartable sequence is not made to load the runtime there: no sequence goes on behind what the thread does for us.
// REQUIRES: ptrace, rseq
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run %rounds
#include "turns.h"
#include <sys/rseq.h>
// Some microseconds in a sequence. The kernel clears the word in the area when it finds the thread outside, and
// restarts the sequence when it has interrupted the thread inside: inside, the word never changes.
static int is_whole(char *area) {
  int is_whole;
  __asm__ volatile(".pushsection __rseq_cs, \"aw\"\n .balign 32\n 7: .long 0, 0\n .quad 1f, 2f - 1f, 4f\n .popsection\n"
                   "3: lea 7b(%%rip), %%rax\n mov $20000, %%ecx\n mov %%rax, 8(%1)\n"
                   "1: cmp %%rax, 8(%1)\n jne 5f\n dec %%ecx\n jnz 1b\n"
                   "2: mov $1, %0\n jmp 6f\n"
                   ".byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n 4: jmp 3b\n"
                   "5: xor %0, %0\n 6:\n"
                   : "=&r"(is_whole) : "r"(area) : "rax", "rcx", "memory", "cc");
  return is_whole;
}
int main(int count, char **arguments) {
  char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
  MUST(count == 2 && __rseq_size);
  open_turns(arguments[1]);
  for (;;) {
    for (int i = 0; i < 1000; i++) {
      MUST(is_whole(area));
      for (int j = 0; j < 1000; j++)
        turn();
    }
    if (has_input_ended())
      return 0;
  }
}
