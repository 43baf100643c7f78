// Behind the prologue, where -pg calls: callbacks and tracers have the function and its caller, a walk up the stack finds both, and the function works with its arguments.
// RUN: %gcc -pg -c %s -o %t.o && %recordmcount -q %t.o && %link_kept %t.o -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'all(e.kind != "exit" for b in buffers for r in b.rings for e in r.events)' %t.buf
// Calls that are kept lead the same way.
// RUN: %gcc -pg -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: %trace_linked -s static=1 -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "calls.h"
#include <execinfo.h>
#include <stdint.h>

#define ALONE __attribute__((aligned(256))) // no other function begins so near
ALONE KEPT static long called(long a, long b, long c, long d, long e, long f, long g, long h, long i) { return many(a, b, c, d, e, f, g, h) + i; }
ALONE KEPT static long caller(long n) { return called(n, n, 3, 4, 5, 6, 7, 8, 9) + n; }
ALONE KEPT static long outer(long n) { return caller(n + 1) + n; }
static int is_in(unsigned long address, const void *function) { return address - (unsigned long)function < 256; }

enum { kResult = 10 + 2 * 10 + 9 + 16 + 25 + 36 + 49 + 64 + 9 + 10 + 9 }; // outer(9)

static long exits, missed;
ALONE UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ops;
  EXPECT(is_in(ip, called));
  EXPECT(is_in(parent_ip, caller));
  EXPECT(ftrace_regs_get_instruction_pointer(regs) - ip <= 5);
  void *frames[20];
  const int depth = backtrace(frames, 20);
  int at = 0;
  while (at < depth && !is_in((unsigned long)frames[at], called))
    at++;
  EXPECT(at + 2 < depth);
  EXPECT(is_in((unsigned long)frames[at + 1], caller));
  EXPECT(is_in((unsigned long)frames[at + 2], outer));
  hits++;
}
UNTRACED static void on_exit_of(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
  exits++;
}
static int rounds;
UNTRACED static void round_of(int is_traced) {
  EXPECT_EQ(outer(9), kResult);
  call_all();
  rounds += is_traced;
}

UNTRACED int main(void) {
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_SAVE_REGS};
  round_of(0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  round_of(1);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  round_of(1);
  for (int i = 0; i < 4; i++) { // ftrace_caller and ftrace_regs_caller, alone and beside a tracer
    EXPECT_EQ(tracing_set_tracer(i < 2 ? "nop" : "function"), 0);
    struct ftrace_ops ops = {.func = look, .flags = kFlags[i % 2]};
    EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"called", 6, 1), 0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    hits = 0;
    EXPECT_EQ(outer(9), kResult);
    rounds += i >= 2;
    EXPECT_EQ(hits, 1);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    ftrace_free_filter(&ops);
  }
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  struct fprobe probe = {.exit_handler = on_exit_of};
  EXPECT_EQ(register_fprobe(&probe, "called", NULL), 0);
  round_of(0);
  missed = (long)probe.nmissed;
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  EXPECT_EQ(exits, 0); // a site behind the prologue has no exit
  EXPECT_EQ(missed, 1);
  printf("outer %d\ncaller %d\ncalled %d\n", rounds, rounds, rounds);
  return failures;
}
