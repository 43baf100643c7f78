// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the general registers by PTRACE_GETREGSET, and mends a call that the stop has cut.

#include "process/stop/thread_registers.h"

#include <algorithm>
#include <cerrno>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

namespace nophook {
namespace {

// An error code of the kernel that no program sees. The kernel makes EINTR of it if a handler runs,
// and begins the call again if none does. Source: include/linux/errno.h, arch/x86/kernel/signal.c.
constexpr int64_t kRestartNoHandler = 514;

// Sockets are among them: a call with a timeout of the socket (SO_RCVTIMEO, SO_SNDTIMEO) fails so.
constexpr long kRestartable[] = {
    SYS_read,          SYS_readv,         SYS_write,      SYS_writev,          SYS_recvfrom,
    SYS_recvmsg,       SYS_recvmmsg,      SYS_sendto,     SYS_sendmsg,         SYS_sendmmsg,
    SYS_accept,        SYS_accept4,       SYS_connect,    SYS_epoll_wait,      SYS_epoll_pwait,
    SYS_epoll_pwait2,  SYS_semop,         SYS_semtimedop, SYS_rt_sigtimedwait, SYS_io_getevents,
    SYS_io_pgetevents, SYS_io_uring_enter};

int get(int32_t tid, user_regs_struct *regs) {
  iovec to = {regs, sizeof *regs};
  if (::ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &to) != 0)
    return errno;
  return to.iov_len == sizeof *regs ? 0 : ENOEXEC; // else it is a 32-bit program
}

} // namespace

const unsigned kStackPointerNumber = 7;

int read_registers(int32_t tid, ThreadRegisters *registers) {
  user_regs_struct regs;
  if (int error = get(tid, &regs))
    return error;
  const uint64_t values[] = {regs.rax, regs.rdx, regs.rcx, regs.rbx, regs.rsi, regs.rdi,
                             regs.rbp, regs.rsp, regs.r8,  regs.r9,  regs.r10, regs.r11,
                             regs.r12, regs.r13, regs.r14, regs.r15, regs.rip};
  registers->count = std::size(values);
  std::ranges::copy(values, registers->values.begin());
  registers->pc = regs.rip;
  registers->sp = regs.rsp;
  registers->thread_pointer = regs.fs_base;
  return 0;
}

// The remaining milliseconds of `timeout`; it does not become 0 early.
static uint64_t rest_of(uint64_t timeout, std::chrono::nanoseconds waited,
                        std::chrono::nanoseconds stopped) {
  const auto given = std::chrono::milliseconds((int32_t)timeout);
  if (given <= waited) // 0 does not wait, and -1 waits for ever
    return timeout;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(given - waited - stopped);
  return (uint64_t)std::clamp(left, std::chrono::milliseconds(0), given).count();
}

bool has_register_timeout(long call) {
  return call == SYS_epoll_wait || call == SYS_epoll_pwait;
}

void shorten_timeout(user_regs_struct *registers, std::chrono::nanoseconds waited,
                     std::chrono::nanoseconds stopped) {
  if (has_register_timeout((long)registers->orig_rax))
    registers->r10 = rest_of(registers->r10, waited, stopped);
}

bool restart_cut_call(int32_t tid) {
  user_regs_struct regs;
  if (get(tid, &regs) || (int64_t)regs.rax != -EINTR ||
      !std::ranges::count(kRestartable, (long)regs.orig_rax))
    return false;
  regs.rax = (uint64_t)-kRestartNoHandler;
  iovec from = {&regs, sizeof regs};
  return ::ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &from) == 0;
}

} // namespace nophook
