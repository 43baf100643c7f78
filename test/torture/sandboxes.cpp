// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child that gives itself a filter of system calls, as OpenSSH's does before the login, and calls
// on while it is traced. The filter knows the short list of docs/limits.md, answers some calls by
// an error, and kills for all others. So a call of the runtime's that is not in the list ends the
// child by SIGSYS, and the child names the call unless the runtime had blocked its signals. Half of
// the children have their first event only behind the filter.

#include "torture.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kAllowed[] = {SYS_clock_gettime, SYS_close,    SYS_futex,          SYS_getpid,
                            SYS_madvise,       SYS_mmap,     SYS_mremap,         SYS_munmap,
                            SYS_nanosleep,     SYS_pselect6, SYS_rt_sigprocmask, SYS_brk,
                            SYS_write,         SYS_exit,     SYS_exit_group};
constexpr int kRefused[] = {SYS_openat, SYS_newfstatat, SYS_shmdt};

__attribute__((no_instrument_function, patchable_function_entry(0))) void
on_refused_call(int, siginfo_t *info, void *) {
  char text[] =
      "ftrace-torture: a child in a sandbox made system call 0000 from 0x0000000000000000\n";
  char *digit = std::strstr(text, "0000 ") + 3;
  for (unsigned number = (unsigned)info->si_syscall; number; number /= 10)
    *digit-- = (char)('0' + number % 10);
  digit = text + sizeof text - 3;
  for (auto place = (uintptr_t)info->si_call_addr; place; place /= 16)
    *digit-- = "0123456789abcdef"[place % 16];
  if (write(2, text, sizeof text - 1) < 0) {
    // the status says that there was such a call
  }
  _exit(SIGSYS);
}

// False: the kernel, or an emulator, has no filters.
bool enter_sandbox() {
  std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  auto answer = [&code](int number, unsigned action) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  };
  for (int number : kAllowed)
    answer(number, SECCOMP_RET_ALLOW);
  for (int number : kRefused)
    answer(number, SECCOMP_RET_ERRNO | EACCES);
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  const sock_fprog program = {(unsigned short)code.size(), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace

void torture_sandbox(std::mt19937_64 &random) {
  constexpr long kCalls = 6000; // more than a sub-buffer holds
  const bool is_traced_before = random() % 2;
  pid_t child = fork();
  if (child == 0) {
    begin_child();
    long before = failures;
    struct sigaction action = {};
    action.sa_sigaction = on_refused_call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSYS, &action, nullptr);
    if (is_traced_before)
      expected(3, leaf(2), "leaf in a child");
    if (enter_sandbox())
      for (long i = 0; i < kCalls; i++)
        expected(i % 10 + 1, leaf(i % 10), "leaf in a sandbox");
    _exit(failures != before);
  }
  expect_child(child, "a child in a sandbox");
}
