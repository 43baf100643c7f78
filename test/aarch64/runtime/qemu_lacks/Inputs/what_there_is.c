// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what the kernel below this program has of what qemu-user may lack, one word a line.
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int has_ptrace(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0)
    _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 7 : 8);
  return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
}

static int has_perf_events(void) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_PAGE_FAULTS,
                                 .exclude_kernel = 1};
  return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0;
}

static int has_rseq(void) { return __rseq_size != 0; }

static int has_seccomp(void) {
  struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {1, all};
  int status = 0;
  pid_t child = fork();
  if (child == 0)
    _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 7 : 8);
  return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
}

static int has_vfork(void) {
  volatile int shared = 0;
  pid_t child = vfork();
  if (child == 0) {
    shared = 1;
    _exit(0);
  }
  waitpid(child, NULL, 0);
  return shared;
}

// Where a thread sleeps: the words of its call are this program's.
static int word;
static volatile pid_t sleeper;
static void *sleeps(void *unused) {
  sleeper = (pid_t)syscall(SYS_gettid);
  while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE))
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}
static int has_thread_syscall(void) {
  char path[64], text[256] = "", wanted[64];
  pthread_t thread;
  if (pthread_create(&thread, NULL, sleeps, NULL))
    return 0;
  snprintf(wanted, sizeof wanted, "%d 0x%lx ", SYS_futex, (unsigned long)&word);
  int found = 0, asleep = 0;
  while (!sleeper)
    sched_yield();
  while (!asleep) { // it runs, yet
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", sleeper);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file))
      break;
    fclose(file);
    asleep = text[0] >= '0' && text[0] <= '9';
  }
  for (char *at = text; *at && !found; at++)
    found = __builtin_strncmp(at, wanted, __builtin_strlen(wanted)) == 0;
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(thread, NULL);
  return found;
}

int main(void) {
  static const struct {
    const char *name;
    int (*has)(void);
  } kAll[] = {{"ptrace", has_ptrace}, {"perf_events", has_perf_events}, {"rseq", has_rseq},
              {"seccomp", has_seccomp}, {"vfork", has_vfork}, {"thread_syscall", has_thread_syscall}};
  for (unsigned i = 0; i < sizeof kAll / sizeof *kAll; i++)
    if (kAll[i].has()) {
      puts(kAll[i].name);
      fflush(stdout);
    }
  return 0;
}
