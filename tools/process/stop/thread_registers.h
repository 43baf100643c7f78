// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of a thread that the caller has stopped by ptrace. One file for each CPU.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <sys/user.h>

namespace nophook {

struct ThreadRegisters {
  std::array<uint64_t, 33> values; // by their DWARF numbers
  unsigned count;
  uint64_t pc, sp, thread_pointer;
};

extern const unsigned kStackPointerNumber; // in DWARF

// Reads the registers. 0 or an errno. ENOEXEC: it runs 32-bit code.
int read_registers(int32_t tid, ThreadRegisters *registers);

// A stop ends a few system calls with EINTR that no program expects to fail without a signal, such
// as epoll_wait (signal(7), "Interruption of system calls by stop signals"). If the thread is about
// to return so from a call that has done nothing, this makes the kernel begin the call again,
// unless a signal handler runs first. The call's timeout then begins again, too. True: it did.
bool restart_cut_call(int32_t tid);

// A few of these calls have their timeout in a register. The time that the thread has waited in the
// call, and has been stopped since, may be subtracted there, if the program does not need the
// register after the call. If a call has waited for its whole timeout, it has ended. The thread is
// then in a later one, in which it was stopped before it slept, and nothing is subtracted.
bool has_register_timeout(long call);
void shorten_timeout(user_regs_struct *registers, std::chrono::nanoseconds waited,
                     std::chrono::nanoseconds stopped);

} // namespace nophook
