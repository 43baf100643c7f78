// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The filters of system calls that common sandboxes give themselves, with death for all else:
//
//      openssh    the child before the login: sandbox-seccomp-filter.c, from 7.4 to 9.9; where its
//                 versions differ, the calls that all of them allow
//      chromium   a renderer: baseline_policy.cc and bpf_renderer_policy_linux.cc
//      service    systemd's SystemCallFilter=@system-service: seccomp-util.c
//
// The lists are made from these files, for x86-64 and AArch64.

#pragma once

#include "refuse.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kSandboxCode = 2048 };
static struct sock_filter sandbox_code[kSandboxCode];
static unsigned sandbox_length;

UNTRACED static void sandbox_put(struct sock_filter insn) {
  sandbox_code[sandbox_length++] = insn;
}
#define SANDBOX_STMT(code, k) sandbox_put((struct sock_filter)BPF_STMT(code, k))
#define SANDBOX_JUMP(code, k, t, f) sandbox_put((struct sock_filter)BPF_JUMP(code, k, t, f))

UNTRACED static void sandbox_answer(int number, unsigned action) {
  SANDBOX_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
  SANDBOX_STMT(BPF_RET | BPF_K, action);
}
UNTRACED static void sandbox_answer_all(const int *numbers, unsigned count, unsigned action) {
  for (unsigned i = 0; i < count; i++)
    sandbox_answer(numbers[i], action);
}
#define SANDBOX_ANSWER(action, ...)                                                                \
  do {                                                                                             \
    static const int numbers_[] = {__VA_ARGS__};                                                   \
    sandbox_answer_all(numbers_, sizeof numbers_ / sizeof *numbers_, action);                      \
  } while (0)
#define SANDBOX_ALLOW(...) SANDBOX_ANSWER(SECCOMP_RET_ALLOW, __VA_ARGS__)
#define SANDBOX_DENY(error, ...) SANDBOX_ANSWER(SECCOMP_RET_ERRNO | (error), __VA_ARGS__)

// The call is allowed if the lower half of argument `which`, but for the bits of `ignored`, is one
// of `values`; else the answer is `otherwise`.
UNTRACED static void sandbox_values(int number, unsigned which, unsigned ignored,
                                    const unsigned *values, unsigned count, unsigned otherwise) {
  SANDBOX_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3 + 2 * count);
  SANDBOX_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args) + 8 * which);
  SANDBOX_STMT(BPF_ALU | BPF_AND | BPF_K, ~ignored);
  for (unsigned i = 0; i < count; i++) {
    SANDBOX_JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
    SANDBOX_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  SANDBOX_STMT(BPF_RET | BPF_K, otherwise);
}
#define SANDBOX_VALUES(otherwise, number, which, ignored, ...)                                     \
  do {                                                                                             \
    static const unsigned values_[] = {__VA_ARGS__};                                               \
    sandbox_values(number, which, ignored, values_, sizeof values_ / sizeof *values_, otherwise);  \
  } while (0)
#define SANDBOX_DEATH SECCOMP_RET_KILL_PROCESS

#ifdef __x86_64__
#define SANDBOX_ALLOW_OLD(...) SANDBOX_ALLOW(__VA_ARGS__) // calls that newer CPUs' kernels lack
#else
#define SANDBOX_ALLOW_OLD(...) (void)0
#endif

UNTRACED static void sandbox_openssh(void) {
  const unsigned read_write = PROT_READ | PROT_WRITE;
  SANDBOX_DENY(EACCES, SYS_fstat, SYS_openat, SYS_newfstatat, SYS_shmget, SYS_shmat, SYS_shmdt);
  SANDBOX_ALLOW(SYS_brk, SYS_clock_gettime, SYS_close, SYS_exit, SYS_exit_group, SYS_geteuid,
                SYS_getpgid, SYS_getpid, SYS_getrandom, SYS_gettimeofday, SYS_getuid, SYS_mremap,
                SYS_munmap, SYS_nanosleep, SYS_clock_nanosleep, SYS_pselect6, SYS_read,
                SYS_rt_sigprocmask, SYS_shutdown, SYS_write);
  SANDBOX_ALLOW_OLD(SYS_poll, SYS_select, SYS_time);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_futex, 1, FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, FUTEX_WAIT,
                 FUTEX_WAIT_BITSET, FUTEX_WAKE, FUTEX_WAKE_BITSET, FUTEX_REQUEUE,
                 FUTEX_CMP_REQUEUE);
  SANDBOX_VALUES(SECCOMP_RET_ERRNO | EINVAL, SYS_madvise, 2, 0, MADV_NORMAL, MADV_FREE,
                 MADV_DONTNEED, MADV_DONTFORK, MADV_DONTDUMP, 18 /* MADV_WIPEONFORK */);
  sandbox_values(SYS_mmap, 2, read_write, (const unsigned[]){0}, 1, SANDBOX_DEATH);
  sandbox_values(SYS_mprotect, 2, read_write, (const unsigned[]){0}, 1, SANDBOX_DEATH);
}

UNTRACED static void sandbox_chromium(void) {
  SANDBOX_ALLOW(
      SYS_brk, SYS_mlock, SYS_munlock, SYS_munmap, SYS_sched_yield, SYS_nanosleep, SYS_epoll_pwait,
      SYS_epoll_create1, SYS_epoll_ctl, SYS_eventfd2, SYS_fstat, SYS_ftruncate, SYS_lseek,
      SYS_ppoll, SYS_pselect6, SYS_read, SYS_readv, SYS_pread64, SYS_recvfrom, SYS_recvmsg,
      SYS_sendmsg, SYS_sendto, SYS_write, SYS_writev, SYS_pipe2, SYS_gettimeofday, SYS_exit,
      SYS_exit_group, SYS_wait4, SYS_waitid, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
      SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getpid,
      SYS_getppid, SYS_gettid, SYS_getuid, SYS_restart_syscall, SYS_close, SYS_dup, SYS_dup3,
      SYS_shutdown, SYS_uname, SYS_rseq, SYS_mincore, SYS_memfd_create, SYS_mremap, SYS_pwrite64,
      SYS_sysinfo, SYS_times, SYS_fsync, SYS_fdatasync, SYS_getrlimit, SYS_setrlimit);
  SANDBOX_ALLOW_OLD(SYS_poll, SYS_select, SYS_time, SYS_pause, SYS_dup2, SYS_pipe, SYS_epoll_wait);
  SANDBOX_DENY(ENOSYS, SYS_clone3);
  SANDBOX_DENY(EPERM, SYS_set_robust_list, SYS_openat, SYS_newfstatat, SYS_statfs, SYS_readlinkat,
               SYS_mkdirat, SYS_linkat, SYS_unlinkat, SYS_renameat, SYS_faccessat, SYS_fchmodat,
               SYS_getcwd, SYS_chdir, SYS_fallocate, SYS_getdents64, SYS_seccomp, SYS_socket,
               SYS_bind, SYS_listen, SYS_accept4, SYS_setuid, SYS_shmget, SYS_shmat, SYS_shmdt);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_clock_gettime, 0, 0, CLOCK_BOOTTIME, CLOCK_MONOTONIC,
                 CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW, CLOCK_PROCESS_CPUTIME_ID,
                 CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_THREAD_CPUTIME_ID);
  SANDBOX_VALUES(SECCOMP_RET_ERRNO | EPERM, SYS_clone, 0, 0,
                 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                     CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID);
  SANDBOX_VALUES(SECCOMP_RET_ERRNO | EINVAL, SYS_futex, 1,
                 FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, FUTEX_WAIT, FUTEX_WAKE, FUTEX_REQUEUE,
                 FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_getrandom, 2, 0, 0, 1 /* GRND_NONBLOCK */);
  SANDBOX_VALUES(SECCOMP_RET_ERRNO | EPERM, SYS_madvise, 2, 0, MADV_DONTNEED, MADV_RANDOM,
                 MADV_REMOVE, MADV_NORMAL, MADV_FREE);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_mmap, 3,
                 MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE | MAP_FIXED |
                     MAP_DENYWRITE | MAP_LOCKED,
                 0);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_mprotect, 2, PROT_READ | PROT_WRITE | PROT_EXEC, 0);
  SANDBOX_VALUES(SANDBOX_DEATH, SYS_prctl, 0, 0, PR_GET_NAME, PR_SET_NAME, PR_GET_DUMPABLE,
                 PR_SET_DUMPABLE);
  const unsigned self = (unsigned)getpid();
  sandbox_values(SYS_kill, 0, 0, &self, 1, SANDBOX_DEATH);
  sandbox_values(SYS_tgkill, 0, 0, &self, 1, SANDBOX_DEATH);
}

// Allows the calls of its groups that a program of these tests or the runtime could make.
UNTRACED static void sandbox_service(void) {
  SANDBOX_ALLOW(
      SYS_close, SYS_dup, SYS_dup3, SYS_lseek, SYS_pread64, SYS_pwrite64, SYS_read, SYS_readv,
      SYS_write, SYS_writev, SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_exit,
      SYS_exit_group, SYS_futex, SYS_get_robust_list, SYS_geteuid, SYS_getpid, SYS_getppid,
      SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_membarrier, SYS_nanosleep, SYS_prlimit64,
      SYS_restart_syscall, SYS_rseq, SYS_rt_sigreturn, SYS_sched_yield, SYS_set_robust_list,
      SYS_set_tid_address, SYS_fallocate, SYS_flock, SYS_fstat, SYS_fstatfs, SYS_ftruncate,
      SYS_getcwd, SYS_getdents64, SYS_linkat, SYS_mkdirat, SYS_mmap, SYS_munmap, SYS_newfstatat,
      SYS_openat, SYS_readlinkat, SYS_renameat, SYS_statfs, SYS_unlinkat, SYS_faccessat, SYS_ppoll,
      SYS_pselect6, SYS_memfd_create, SYS_pipe2, SYS_process_vm_readv, SYS_shmdt, SYS_clone,
      SYS_clone3, SYS_getrusage, SYS_kill, SYS_prctl, SYS_tgkill, SYS_wait4, SYS_waitid,
      SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigtimedwait, SYS_sigaltstack,
      SYS_brk, SYS_getcpu, SYS_getrandom, SYS_ioctl, SYS_madvise, SYS_mprotect, SYS_mremap,
      SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_uname);
}

// Gives the whole process the filter of one of the three.
UNTRACED static void enter_sandbox(const char *name) {
  struct sock_fprog program = {0, sandbox_code};
  sandbox_length = 0;
  SANDBOX_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  if (!strcmp(name, "openssh"))
    sandbox_openssh();
  else if (!strcmp(name, "chromium"))
    sandbox_chromium();
  else
    sandbox_service();
  SANDBOX_STMT(BPF_RET | BPF_K, SANDBOX_DEATH);
  program.len = (unsigned short)sandbox_length;
  EXPECT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  EXPECT_EQ(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program), 0);
}
