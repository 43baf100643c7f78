// 10,000 signals of 4 kHz hit trampolines, ring writes and callbacks: each handler's calls are
// seen, and each call outside, by a callback that stops recursion, one that does not, and a tracer.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -k 131072 -- %t > %t.out && %show --expect %t.out %t.buf
#include "ops.h"
#include <signal.h>
#include <time.h>

enum { kSignals = 10000 };
static volatile long handled;
static long calls;
static double checksum;
NOINLINE static void in_handler(void) { KEEP(0); }
NOINLINE static double called(double value) { KEEP(&value); return value + 1; }
UNTRACED static void on_signal(int number) {
  volatile double other = number;
  other = other / 3;
  in_handler();
  handled++;
}
struct Split { struct ftrace_ops ops; long in_handler, called; double sum; };
static unsigned long handler_ip;
UNTRACED static void split(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  struct Split *mine = (struct Split *)ops;
  (void)parent_ip, (void)regs;
  volatile double work = 1.5;
  for (int i = 0; i < 300; i++)
    work = work * 1.0001;
  __atomic_fetch_add(ip == handler_ip ? &mine->in_handler : &mine->called, 1, __ATOMIC_RELAXED);
}

UNTRACED int main(void) {
  static struct Split stops = {.ops = {.func = split}}, safe = {.ops = {.func = split, .flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_SAVE_REGS}};
  handler_ip = ftrace_location((unsigned long)in_handler);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal, action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(register_ftrace_function(&stops.ops), 0);
  EXPECT_EQ(register_ftrace_function(&safe.ops), 0);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGUSR1;
  timer_t timer;
  struct itimerspec every = {{0, 250000}, {0, 250000}}, never = {{0, 0}, {0, 0}};
  EXPECT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  timer_settime(timer, 0, &every, NULL);
  for (; handled < kSignals; calls++)
    checksum = called(checksum);
  timer_settime(timer, 0, &never, NULL);
  struct timespec pause = {0, 10000000};
  nanosleep(&pause, NULL);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(unregister_ftrace_function(&stops.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&safe.ops), 0);
  EXPECT_EQ(stops.in_handler, handled);
  EXPECT_EQ(safe.in_handler, handled);
  EXPECT_EQ(stops.called, calls);
  EXPECT_EQ(safe.called, calls);
  EXPECT_EQ(stops.ops.missed + safe.ops.missed, 0);
  EXPECT(checksum == (double)calls);
  printf("in_handler %ld\ncalled %ld\n", handled, calls);
  return failures != 0;
}
