// A process that gives itself a seccomp filter between attach's look at it and its stop is refused by the name of the call, and goes on.
// REQUIRES: ptrace, root
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %clang -shared -fPIC -D_GNU_SOURCE -DBETWEEN -I %inputs %s -o %t.so
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/late_seccomp.py %nophook %t %t.run %t.so
#include "turns.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#ifdef BETWEEN // attach's first call of ptrace comes behind its look, and stops nothing yet
#include <dlfcn.h>
long ptrace(int request, pid_t pid, void *address, void *data) {
  static int is_asked;
  char path[40], text[4096] = "";
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  if (!is_asked)
    kill(pid, SIGUSR1);
  for (; !is_asked; is_asked = strstr(text, "\nSeccomp:\t2") != NULL) {
    int file = open(path, O_RDONLY);
    MUST(file >= 0 && read(file, text, sizeof text - 1) > 0 && close(file) == 0);
  }
  return ((long (*)(int, pid_t, void *, void *))dlsym(RTLD_NEXT, "ptrace"))(request, pid, address, data);
}
#else
static volatile sig_atomic_t g_is_asked;
static void on_signal(int number) { g_is_asked = number; }
static void enter_filter(void) { // that kills for mprotect
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
}
int main(int count, char **arguments) {
  static const struct timespec kTime = {0, 500000};
  MUST(count == 2);
  signal(SIGUSR1, on_signal);
  open_turns(arguments[1]);
  while (!has_input_ended()) {
    turn();
    if (g_is_asked) {
      enter_filter();
      g_is_asked = 0;
    }
    nanosleep(&kTime, NULL);
  }
}
#endif
