// A recorded process gives itself a filter that kills for a call that events make: the recorder stops its tracing and names the call, and the process lives on. A filter that kills for another call changes nothing.
// REQUIRES: ptrace, root
// RUN: %traced_cc %s -o %t
// RUN: %python %inputs/later_filter.py %nophook record -p function -o %t.data -- %t madvise 2>&1 | FileCheck %s
// RUN: %nophook record -p function -o %t.other -- %t personality < /dev/null 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: %nophook info %t.data | FileCheck --check-prefix=INFO %s
// CHECK: nophook: process {{[0-9]+}} is traced no longer: its seccomp filter may kill it for madvise, which an event may call
// CHECK: exit status 0
// OTHER-NOT: traced no longer
// OTHER: 200002 events
// INFO: is traced no longer: its seccomp filter may kill it for madvise
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#define MUST(is_so) ((is_so) ? (void)0 : abort())
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" ::"r"(n)); }
int main(int count, char **arguments) {
  MUST(count == 2);
  work(0);
  const unsigned killed = strcmp(arguments[1], "madvise") == 0 ? SYS_madvise : SYS_personality;
  struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, killed, 0, 1),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
  char byte;
  MUST(fcntl(0, F_SETFL, O_NONBLOCK) == 0);
  while (read(0, &byte, 1) < 0 && errno == EAGAIN)
    ; // only a thread that runs is looked at
  for (int i = 0; i < 200000; i++)
    work(i);
}
