// The probes' routines hand on what their notes say: a breakpoint on the NOP finds the site, the caller and the
// registers of the call. They are called while a semaphore is set, and no longer.
// RUN: %traced_cc -O1 %s -o %t %static && %run_nop %t
#include "program.h"
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <tracefs.h>
#include <ucontext.h>

extern volatile uint16_t nophook_usdt_entry_semaphore, nophook_usdt_return_semaphore;
extern char nophook_usdt_entry[], nophook_usdt_return[];
NOINLINE long traced(long a, long b) {
  KEEP(b);
  return a + 100;
}

static int entries, returns;
UNTRACED static void on_trap(int number, siginfo_t *info, void *context) {
  (void)number, (void)info; // the only one
  mcontext_t *at = &((ucontext_t *)context)->uc_mcontext;
  const uint64_t *values = (const uint64_t *)at->regs[2];
  EXPECT(at->regs[0] - (uint64_t)traced < 8);
  EXPECT(at->regs[1] > 4096);
  if (at->pc == (uint64_t)nophook_usdt_entry + 4) {
    EXPECT(values[0] == 7 && values[1] == 8);
    entries++;
  } else {
    EXPECT_EQ(at->pc, nophook_usdt_return + 4);
    EXPECT_EQ(values[0], 107);
    returns++;
  }
  at->pc += 4;
}
UNTRACED static void set_breakpoint(char *routine) {
  uint32_t *probe = (uint32_t *)(routine + 4);
  EXPECT_EQ(*probe, 0xd503201f); // the NOP
  const uint64_t page = (uint64_t)probe & -4096ul;
  EXPECT_EQ(mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
  *probe = 0xd4200000; // brk 0
  __builtin___clear_cache((char *)probe, (char *)(probe + 1));
}

UNTRACED int main(void) {
  const struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
  EXPECT_EQ(sigaction(SIGTRAP, &action, NULL), 0);
  set_breakpoint(nophook_usdt_entry);
  set_breakpoint(nophook_usdt_return);
  EXPECT_EQ(tracefs_write("set_usdt_filter", "traced\n", 7, 0), 0);
  EXPECT_EQ(traced(7, 8), 107);
  EXPECT(entries == 0 && returns == 0);
  nophook_usdt_entry_semaphore++, nophook_usdt_return_semaphore++;
  EXPECT_EQ(traced(7, 8), 107);
  EXPECT(entries == 1 && returns == 1);
  nophook_usdt_entry_semaphore--, nophook_usdt_return_semaphore--;
  EXPECT_EQ(traced(7, 8), 107);
  EXPECT(entries == 1 && returns == 1);
  return failures != 0;
}
