// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the general registers by PTRACE_GETREGSET.

#include "process/stop/thread_registers.h"

#include <algorithm>
#include <cerrno>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

namespace nophook {

const unsigned kStackPointerNumber = 31;

int read_registers(int32_t tid, ThreadRegisters *registers) {
  user_regs_struct regs;
  iovec to = {&regs, sizeof regs};
  if (::ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &to) != 0)
    return errno;
  if (to.iov_len != sizeof regs)
    return ENOEXEC;
  iovec pointer = {&registers->thread_pointer, sizeof registers->thread_pointer};
  if (::ptrace(PTRACE_GETREGSET, tid, NT_ARM_TLS, &pointer) != 0)
    return errno;
  std::ranges::copy(regs.regs, registers->values.begin());
  registers->values[kStackPointerNumber] = regs.sp;
  registers->count = kStackPointerNumber + 1;
  registers->pc = regs.pc;
  registers->sp = regs.sp;
  return 0;
}

// On this CPU, the kernel decides about the call before it lets a tracer look. No call is
// restarted, so no timeout is shortened.
bool has_register_timeout(long) {
  return false;
}

void shorten_timeout(user_regs_struct *, std::chrono::nanoseconds, std::chrono::nanoseconds) {}

bool restart_cut_call(int32_t) {
  return false;
}

} // namespace nophook
