// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a command and counts the system calls of its first thread between pairs of marks. A mark is
// a system call that does not exist: kMark of syscalls.h, with the name of what follows, how many
// system calls there may be at least and at most; the second mark of a pair has no name.
//
//      syscalls_between COMMAND...

#include "syscalls.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[128];
static long least, most, count, calls[8]; // the numbers of the first of them
static int failures, pairs;

static void begin(pid_t pid, const struct user_regs_struct *regs) {
  struct iovec here = {name, sizeof name - 1}, there = {(void *)regs->rdi, sizeof name - 1};
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) <= 0)
    name[0] = 0;
  least = (long)regs->rsi, most = (long)regs->rdx;
  count = 0;
}

static void end(void) {
  pairs++;
  if (count < least || count > most) {
    failures++;
    printf("%s: %ld system calls, not %ld to %ld:", name, count, least, most);
    for (long i = 0; i < count && i < 8; i++)
      printf(" %ld", calls[i]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  pid_t pid = fork();
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0, is_entry = 1, is_between = 0, signal = 0;
  waitpid(pid, &status, 0);
  ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (;;) {
    ptrace(PTRACE_SYSCALL, pid, NULL, signal);
    signal = 0;
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
      break;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      signal = WSTOPSIG(status);
      continue;
    }
    if (is_entry) {
      struct user_regs_struct regs;
      ptrace(PTRACE_GETREGS, pid, NULL, &regs);
      if (regs.orig_rax != kMark) {
        if (is_between && count < 8)
          calls[count] = (long)regs.orig_rax;
        count++;
      } else if (regs.rdi) {
        begin(pid, &regs), is_between = 1;
      } else {
        end(), is_between = 0;
      }
    }
    is_entry = !is_entry;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    failures++, printf("the command ended with %#x\n", status);
  printf("%d pairs of marks, %d failures\n", pairs, failures);
  (void)argc;
  return failures != 0;
}
