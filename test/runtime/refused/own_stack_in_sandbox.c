// A callback's own stack that is first needed in a sandbox (OpenSSH's, Chromium's, systemd's) is made without a call that kills: entry and exit are counted there.
// RUN: env -u NOPHOOK_TEXT_CHECK %traced_cc -O1 %s -o %t %linked && env -u NOPHOOK_TEXT_CHECK %trace_linked -p '' -- %t
#include "ops.h"
#include "sandboxes.h"
#include <sys/wait.h>

NOINLINE static void called(int n) { KEEP(n); }
static long inside, entries, leavings;
UNTRACED static long is_away_from(char *place) {
  char here;
  long distance = &here - place;
  return distance > 1 << 20 || distance < -(1 << 20);
}
static char *stack_of_caller;
UNTRACED static int enters(struct fprobe *probe, unsigned long ip, unsigned long back, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)back, (void)regs, (void)data;
  inside += is_away_from(stack_of_caller);
  return entries++, 0;
}
UNTRACED static void leaves(struct fprobe *probe, unsigned long ip, unsigned long back, struct ftrace_regs *regs, void *data) {
  (void)enters(probe, ip, back, regs, data);
  entries--, leavings++;
}
static struct fprobe probe = {.ops = {.flags = FTRACE_OPS_FL_OWN_STACK}, .entry_handler = enters, .exit_handler = leaves};

UNTRACED static void live_in(const char *sandbox) {
  char here;
  stack_of_caller = &here;
  enter_sandbox(sandbox);
  for (int i = 0; i < 100; i++)
    called(i);
  EXPECT(entries == 100 && leavings == 100 && inside == 200);
  _exit((int)failures);
}
UNTRACED int main(void) {
  static const char *const kSandboxes[] = {"openssh", "chromium", "service"};
  const char *names[] = {"called"};
  EXPECT_EQ(register_fprobe_syms(&probe, names, 1), 0);
  for (int i = 0; i < 3; i++) {
    int status = -1;
    pid_t child = fork();
    if (!child)
      live_in(kSandboxes[i]);
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0); // SIGSYS: the filter has killed it
  }
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  return failures;
}
