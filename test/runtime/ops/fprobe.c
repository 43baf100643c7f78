// Probes: data goes from entry to exit of the same call, recursion and other probes included; the
// entry handler may decline; exits see the result and may change it; a call that is left, and one
// that is tail-called, has no exit.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <setjmp.h>

static jmp_buf home;
NOINLINE int factorial(int n) { KEEP(&n); int below = n > 1 ? factorial(n - 1) : 1; return n * below; }
NOINLINE int leaves(int n) { KEEP(&n); longjmp(home, n); }
NOINLINE int callee(int n) { KEEP(0); return n + 1; }
NOINLINE int caller(int n) { KEEP(0); __attribute__((musttail)) return callee(n + 1); }
static long entries, exits, sum, matched;
UNTRACED static int on_entry(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret;
  long n = (long)(int)ftrace_regs_get_argument(regs, 0);
  entries++;
  if (data)
    ((long *)data)[0] = n, ((long *)data)[1] = ~n;
  return n == 4; // the exit of this one is not wanted
}
UNTRACED static void on_exit_of(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ret;
  long *kept = data, product = 1;
  for (long i = 2; i <= kept[0]; i++)
    product *= i;
  exits++;
  matched += kept[1] == ~kept[0] && (long)ftrace_regs_get_return_value(regs) == product && ftrace_location(ip) == ip;
}
UNTRACED static void on_other(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret;
  EXPECT(data == NULL);
  sum += (long)ftrace_regs_get_return_value(regs);
}
UNTRACED static void double_it(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)data;
  ftrace_regs_set_return_value(regs, 2 * ftrace_regs_get_return_value(regs));
}

UNTRACED int main(void) {
  static struct fprobe probe = {.entry_data_size = 16, .entry_handler = on_entry, .exit_handler = on_exit_of};
  static struct fprobe other = {.exit_handler = on_other}, doubles = {.exit_handler = double_it};
  static struct fprobe entry_only = {.entry_handler = on_entry}, none, large = {.entry_data_size = 5000, .exit_handler = on_other};
  EXPECT_EQ(register_fprobe(&none, "*", NULL), -EINVAL);
  EXPECT_EQ(register_fprobe(&large, "*", NULL), -EINVAL);
  EXPECT_EQ(register_fprobe(&probe, "fact*", NULL), 0);
  EXPECT_EQ(register_fprobe(&probe, "fact*", NULL), -EBUSY);
  EXPECT_EQ(register_fprobe_syms(&other, (const char *[]){"factorial", "leaves"}, 2), 0);
  EXPECT_EQ(factorial(6), 720);
  EXPECT(entries == 6 && exits == 5 && matched == 5);
  EXPECT_EQ(sum, 720 + 120 + 24 + 6 + 2 + 1);
  sum = 0;
  if (setjmp(home) == 0)
    leaves(7);
  EXPECT_EQ(sum, 0);
  disable_fprobe(&probe);
  EXPECT_EQ(factorial(3), 6);
  EXPECT(entries == 6 && exits == 5);
  enable_fprobe(&probe);
  EXPECT_EQ(unregister_fprobe(&other), 0);
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  EXPECT_EQ(unregister_fprobe(&probe), -EINVAL);
  EXPECT_EQ(register_fprobe(&entry_only, "*", "fact*"), 0);
  EXPECT(factorial(2) == 2 && callee(1) == 2 && entries == 7);
  EXPECT_EQ(unregister_fprobe(&entry_only), 0);
  unsigned long places[] = {(unsigned long)callee, (unsigned long)caller};
  EXPECT_EQ(register_fprobe_ips(&doubles, places, 2), 0);
  EXPECT_EQ(callee(1), 4);
  EXPECT_EQ(caller(1), 6); // (1 + 1 + 1) * 2, not twice
  EXPECT_EQ(doubles.nmissed, 1);
  EXPECT_EQ(unregister_fprobe(&doubles), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
