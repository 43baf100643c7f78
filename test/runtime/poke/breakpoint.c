// A debugger's breakpoints on sites, set before the first change, while a site is a NOP, and while it
// is enabled: their bytes are left alone and reported, each one is hit, and what it stands on runs.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -s log=stderr -- %t 2> %t.err
// REQUIRES: strace
// RUN: grep "1 functions have a breakpoint or uprobe at their entry and are left alone" %t.err
// RUN: grep -c "1 functions hold foreign code at their entry and are left alone" %t.err | grep -x 2
#include "ops.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
enum { kPlaces = 3 };
NOINLINE int first(int n) { KEEP(&n); return n + 1; }
NOINLINE int second(int n) { KEEP(&n); return n + 2; }
NOINLINE int third(int n) { KEEP(&n); return n + 3; }
NOINLINE int other(int n) { KEEP(&n); return n + 4; }
static int (*const places[kPlaces])(int) = {first, second, third};
static struct Counted counted = COUNTED(0);
UNTRACED static void call_all(int callbacks) {
  EXPECT_EQ(first(0) + second(0) + third(0) + other(0), 10);
  EXPECT_EQ(calls_of(&counted), callbacks);
}
UNTRACED static int debugged(void) {
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  raise(SIGUSR1); // the breakpoint on `first` is set
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  call_all(3);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  raise(SIGUSR1); // on `second`
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  call_all(2);
  raise(SIGUSR1); // on `third`, whose site is a call
  call_all(2);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  call_all(0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  call_all(1);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  raise(SIGUSR2); // all are taken away: what is left of the third one's site is a call
  call_all(0);
  raise(SIGHUP); // which the test's own check of the text would find
  return failures != 0;
}
static long before[kPlaces]; // the bytes under the breakpoints
UNTRACED static void plant(pid_t pid, int place, int set) {
  long word = ptrace(PTRACE_PEEKTEXT, pid, places[place], 0);
  if (set && (word & 0xff) != 0xcc)
    before[place] = word & 0xff;
  ptrace(PTRACE_POKETEXT, pid, places[place], (word & ~0xffl) | (set ? 0xcc : before[place]));
}
// The steps of a debugger to go on from a breakpoint of its own.
UNTRACED static int step_over(pid_t pid) {
  struct user_regs_struct regs;
  int status, place = 0;
  ptrace(PTRACE_GETREGS, pid, 0, &regs);
  while (place < kPlaces && (unsigned long)places[place] != regs.rip - 1)
    place++;
  EXPECT(place < kPlaces);
  regs.rip--;
  ptrace(PTRACE_SETREGS, pid, 0, &regs);
  plant(pid, place, 0);
  ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
  waitpid(pid, &status, 0);
  plant(pid, place, 1);
  return place;
}

UNTRACED int main(void) {
  int status = 0, planted = 0, hits[kPlaces] = {0};
  pid_t pid = fork();
  if (pid == 0)
    _exit(debugged());
  while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && !failures) {
    int signal = WSTOPSIG(status);
    if (signal == SIGUSR1)
      plant(pid, planted++, 1);
    else if (signal == SIGUSR2)
      for (int place = 0; place < kPlaces; place++)
        plant(pid, place, 0);
    else if (signal == SIGHUP)
      ptrace(PTRACE_POKETEXT, pid, third, (ptrace(PTRACE_PEEKTEXT, pid, third, 0) & ~0xffffffffffl) | 0x0800441f0f);
    else if (signal == SIGTRAP)
      hits[step_over(pid)]++;
    int passes = signal != SIGUSR1 && signal != SIGUSR2 && signal != SIGHUP && signal != SIGTRAP;
    ptrace(PTRACE_CONT, pid, 0, passes ? signal : 0);
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(planted, kPlaces);
  EXPECT(hits[0] == 5 && hits[1] == 4 && hits[2] == 3);
  return failures;
}
