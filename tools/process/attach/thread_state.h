// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that a stopped thread takes back to its program, and the words on a stack by which it
// takes that back without our help. One source file for each CPU.
//
// A call that we make a thread do may lose us at any moment: the command can be killed. So a thread
// is never left where only we could bring it back. All that it does for us is laid out as if a
// signal handler did it: the stack holds the frame that the kernel makes for a handler, with all
// registers, and the last instructions are the handler's return, rt_sigreturn. One difference to
// our own way back remains: a system call that the stop has cut is issued again with all of its
// timeout.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/user.h>
#include <vector>

namespace nophook {

struct ThreadState {
  user_regs_struct registers = {};
  std::vector<std::byte> vectors; // as PTRACE_GETREGSET has them
  uint64_t signals = 0;           // mask of blocked signals
};

// Reads the state of a thread that the caller has stopped. 0 or an errno; ENOEXEC: 32-bit code.
int read_state(int32_t tid, ThreadState *state);
// Writes the registers last, since that ends the thread's work for us.
int write_state(int32_t tid, const ThreadState &state);
int read_general(int32_t tid, user_regs_struct *registers);
int write_general(int32_t tid, const user_regs_struct &registers);
int block_signals(int32_t tid, uint64_t signals);

// The system call that the thread is in, or that the stop has cut; -1: none.
long call_of(const user_regs_struct &registers);
// The program counter, where the instruction of the call ends.
uint64_t program_counter(const user_regs_struct &registers);
uint64_t stack_pointer(const user_regs_struct &registers);

// The same registers for a thread that the kernel does not look at, just in front of a cut call.
// `code`: the bytes in front of the program counter. They may show a call that the kernel only
// knows as one that goes on (restart_syscall), and that we have to begin again.
constexpr size_t kCodeBytes = 16;
user_regs_struct issued_again(const user_regs_struct &registers, std::span<const uint8_t> code);

// Whether the kernel would make the thread go on in its call by restart_syscall.
bool goes_on_by_restart(const user_regs_struct &registers);

// The frame of a handler's return into `registers`, `vectors` and `signals`, as bytes that end at
// or below `top`. `at`: the address at which they begin, which is the stack pointer when
// rt_sigreturn is called.
std::vector<std::byte> return_frame(const ThreadState &state, uint64_t top, uint64_t *at);

// ---- Code of the C library

struct LibcCode {
  uint64_t call_and_return = 0; // a system call, then a return
  uint64_t handler_return = 0;  // rt_sigreturn
  bool is_whole() const { return call_and_return && handler_return; }
};
// Finds the pieces of code in `text`, which is at `address`.
void find_code(std::span<const uint8_t> text, uint64_t address, LibcCode *code);

// Registers for a system call after which the thread returns from a handler: its stack has the word
// for that, and directly above it the frame.
user_regs_struct system_call(const user_regs_struct &from, const LibcCode &code, long number,
                             std::span<const uint64_t> arguments, uint64_t stack);
uint64_t word_behind_call(const LibcCode &code); // at `stack`
// The same for a thread at the start of another call, which it then does not make.
user_regs_struct instead_of_call(const user_regs_struct &from, const LibcCode &code, long number,
                                 std::span<const uint64_t> arguments, uint64_t stack);
// Whether a thread stands at the start or the end of such a call, or behind it, and not in a
// handler that has interrupted it.
bool is_in_call(const user_regs_struct &registers, const LibcCode &code, uint64_t stack);
int64_t result_of(const user_regs_struct &registers);

// ---- Our code, which runs at any address

// The functions that our code calls, their arguments, and their results.
struct CallBlock {
  uint64_t dlopen, path, flags; // handle = dlopen(path, flags)
  uint64_t dlsym, name;         // wake = dlsym(handle, name), unless there is one
  uint64_t dlerror;             // error = dlerror(), if one of them returns null
  uint64_t settings;            // result = wake(settings)
  uint64_t errno_location; // address of its function, with which errno is kept; 0: wake() keeps
                           // errno itself
  uint64_t frame;          // address of the frame for a handler's return
  uint64_t handle, wake, error;
  int64_t result;
  uint64_t is_done;
  int64_t descriptor; // descriptor to close after dlopen(); -1: none
  uint64_t signal;    // number of the signal that the thread sends itself behind the calls; 0: none
};
std::span<const std::byte> call_code();
// Registers for the thread that is to run our code; whether the thread is at the code's end, the
// start of its last system call; and whether it is behind the signal that it sends itself. In both
// places all calls have returned.
user_regs_struct at_call_code(const user_regs_struct &from, uint64_t code, uint64_t block,
                              uint64_t stack);
bool is_at_end(const user_regs_struct &registers, uint64_t code);
bool is_behind_signal(const user_regs_struct &registers, uint64_t code);

} // namespace nophook
