// A filter that kills a process at a system call that docs/limits.md does not list: the program
// is traced, changes tracers by each way, forks, and lives.
// RUN: sed -n '/^system calls:/,/^$/p' %include/../docs/limits.md > %t.list
// RUN: sed -n 's/`\([a-z0-9_]*\)`/\nCALL(\1)\n/gp' %t.list | grep CALL > %t.h
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 -DLIST='"%t.h"' %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "refuse.h"
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/wait.h>

#define ALLOW(number)                                                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
#define CALL(name) ALLOW(SYS_##name)
// The calls that this program needs for itself.
#define OWN                                                                                        \
  ALLOW(SYS_exit_group) ALLOW(SYS_exit) ALLOW(SYS_wait4) ALLOW(SYS_clone) ALLOW(SYS_newfstatat)    \
  ALLOW(SYS_brk) ALLOW(SYS_set_robust_list) ALLOW(SYS_rseq) ALLOW(SYS_pread64)            \
  ALLOW(SYS_lseek)
UNTRACED static void kill_others(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      OWN
#include LIST
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  EXPECT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  EXPECT_EQ(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program), 0);
}
UNTRACED static void change_all(void) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop"};
  for (int i = 0; i < 4; i++) {
    EXPECT_EQ(tracing_set_tracer(kNext[i]), 0);
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
      (*site)();
  }
  EXPECT_EQ(text_differing(), 0);
}

UNTRACED int main(void) {
  start_runners(1);
  kill_others();
  change_all();
  IN_CHILD(change_all());
  stop_runners();
  return failures != 0;
}
