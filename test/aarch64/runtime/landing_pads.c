// In pages whose functions may be entered at landing pads alone (BTI), the bodies behind sites are
// entered all the same: no trampoline makes an indirect branch there.
// RUN: %traced_cc -O1 -mbranch-protection=bti %s -o %t %linked && %trace_linked -- %t
// RUN: %trace_linked -p function -- %t
// RUN: %trace_linked -p '' -- %t callbacks
#include "ops.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROT_BTI 0x10

NOINLINE void first_traced(void) { KEEP(0); }
NOINLINE static long sum(long n) { return n ? sum(n - 1) + n : 0; }
NOINLINE static long on_stack(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
  return a + b + c + d + e + f + g + h + i;
}

static struct Counted counted = COUNTED(0);
static sigjmp_buf refused;
UNTRACED static void on_fault(int signal) {
  (void)signal; // the only one
  siglongjmp(refused, 1);
}

UNTRACED int main(int argc, char **argv) {
  (void)argv; // only how many there are
  if (argc > 1)
    EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  const unsigned long page = 4096, start = (unsigned long)first_traced & -page, end = (unsigned long)main + page;
  EXPECT_EQ(mprotect((void *)start, (end & -page) - start, PROT_READ | PROT_EXEC | PROT_BTI), 0);
  signal(SIGILL, on_fault);
  int traps = 0;
  if (!sigsetjmp(refused, 1))
    ((void (*)(void))((char *)first_traced + 8))(); // behind the pad
  else
    traps++;
  EXPECT_EQ(traps, 1);
  for (int i = 0; i < 100; i++) {
    first_traced();
    EXPECT_EQ(sum(100), 5050);
    EXPECT_EQ(on_stack(1, 2, 3, 4, 5, 6, 7, 8, i), 36 + i);
  }
  if (argc > 1)
    EXPECT(calls_of(&counted) >= 300);
  fflush(stdout);
  _exit(failures); // the compiler's own code behind exit() has no pads
}
