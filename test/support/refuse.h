// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that refuses some system calls, emulated by a seccomp filter on the whole process.

#pragma once

#include "program.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// System call `number` gets `action` (SECCOMP_RET_...) if its argument `which` has `value` in the
// bits of `mask`, of its lower 32.
UNTRACED static void refuse_value(int number, int which, unsigned mask, unsigned value,
                                  unsigned action) {
  unsigned low = (unsigned)offsetof(struct seccomp_data, args) + 8 * (unsigned)which;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  EXPECT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  EXPECT_EQ(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program), 0);
}

// System call `number` fails with `error` if all bits of `bits` are set in its argument `which`.
UNTRACED static void refuse(int number, int which, unsigned bits, int error) {
  refuse_value(number, which, bits, bits, SECCOMP_RET_ERRNO | (unsigned)error);
}
