// A batch whose writes the kernel refuses half-way is taken back: no site has changed, no record
// says so, and no call is lost. If taking back is refused as well, tracing is off for good
// and calls go on.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_TEXT_CHECK= %trace_linked -p '' -s log=stderr -k 4096 -- %t 2> %t.err
// RUN: grep "tracing is off for good: text that the kernel let us change" %t.buf/*.buf %t.err
#include "refuse.h"
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <tracefs.h>
#include <sys/mman.h>
#include <sys/wait.h>

UNTRACED static void refuse_write_at(const char *at) {
  unsigned low = (unsigned)(unsigned long)at;
  refuse_value(SYS_pwrite64, 3, ~0u, low, SECCOMP_RET_ERRNO | EIO);
}
static char touched[64];
UNTRACED static int flags_of(const struct ftrace_record *record, void *flags) {
  *(uint32_t *)flags |= record->flags;
  return 0;
}
UNTRACED static void refuse_write_to(SiteFunction *site, int offset) {
  refuse(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, EACCES); // all go through /proc/self/mem
  start_runners(2);
  refuse_write_at((const char *)site + offset);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(tracing_set_tracer(i ? "function" : "function_graph"), -EIO);
    EXPECT_EQ(text_differing(), 0);
    uint32_t flags = 0;
    EXPECT_EQ(ftrace_for_each_record(flags_of, &flags), 0);
    EXPECT_EQ(flags, 0u);
    EXPECT_EQ(tracefs_read("touched_functions", touched, sizeof touched), 0);
    wait_for_runners();
  }
  stop_runners();
  EXPECT(kill_reason() == NULL);
}
// Heads are int3, tails are new, and nothing can be written any more.
UNTRACED static void refuse_the_rest(int step) {
  if (step == kPokeTails)
    refuse(SYS_pwrite64, 0, 0, EIO);
}
UNTRACED static void get_stuck(void) {
  refuse(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, EACCES);
  start_runners(2);
  nophook_poke_stop = refuse_the_rest;
  EXPECT_EQ(tracing_set_tracer("function"), -EIO);
  EXPECT(text_differing() > 0);
  EXPECT(kill_reason() != NULL);
  wait_for_runners();
  EXPECT(tracing_set_tracer("function_graph") < 0);
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  wait_for_runners();
  stop_runners();
}

UNTRACED int main(void) {
  SiteFunction *middle = sites_begin[(sites_end - sites_begin) / 2 & ~1]; // without endbr64
  IN_CHILD(refuse_write_to(middle, 0));
  IN_CHILD(refuse_write_to(middle, 1));
  IN_CHILD(get_stuck());
  return failures != 0;
}
