// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data shared by the trampolines of callbacks and the C++ around them, with its offsets. Included
// by assembly too; static_asserts below prove the offsets.

#pragma once

#include "arch/cpu.h"

// struct CallbackThread
#define THREAD_ACTIVE 0
#define THREAD_ROUNDS 8

// struct Call
#define CALL_FUNC 0
#define CALL_OPS 8
#define CALL_NEEDS_REGISTERS 16
#define CALL_EXIT_BYTES 24
#define CALL_SUMS_EXIT_BYTES -1

// struct ftrace_regs: the general registers (arch/*/regs.h), then
#define REGS_DIRECT (REGS_GENERAL_BYTES + 0)
#define REGS_ID (REGS_GENERAL_BYTES + 8)
#define REGS_HAS_ALL (REGS_GENERAL_BYTES + 12)
#define REGS_EXIT_AREA (REGS_GENERAL_BYTES + 16)
#define REGS_EXIT_END (REGS_GENERAL_BYTES + 24)
#define REGS_EXITS (REGS_GENERAL_BYTES + 32)
#define REGS_CAN_EXIT (REGS_GENERAL_BYTES + 36)
#define REGS_MARK (REGS_GENERAL_BYTES + 40)
#define REGS_NESTED (REGS_GENERAL_BYTES + 48)
#define REGS_BYTES (REGS_GENERAL_BYTES + 56)

#ifndef __ASSEMBLER__

#include "arch/arch.h"

#include <stddef.h>
#include <stdint.h>

struct ftrace_ops;

// The definition of a type that the public header leaves opaque.
struct ftrace_regs {
  nophook::Arch::Regs general; // first: ftrace_get_regs() returns it as a pt_regs
  uint64_t direct;             // continue there, as if the site had called it; 0: do not
  uint32_t id;
  uint32_t has_all;
  // Room for the data of exit handlers, filled from below; ops/fprobe.cpp.
  char *exit_area;
  char *exit_end;
  uint32_t exits;    // number of exit handlers to call when the function returns
  uint32_t can_exit; // whether the function's return will be seen
  uint64_t mark;     // its own address; any other value: the frame is gone
  // The complement of its own address while it is open inside another one; else any value.
  uint64_t nested;
};

namespace nophook {

// The callbacks of a site: the function of one ops, or a function that calls those of several. The
// memory of a Call is never reused for anything else.
struct Call {
  void (*func)(unsigned long ip, unsigned long parent_ip, ::ftrace_ops *ops, ::ftrace_regs *regs);
  ::ftrace_ops *ops;
  // Whether the callbacks need all registers. A thread may come from a site that was a call of
  // ftrace_caller at that time; then a callback that needs all registers is skipped: it is not
  // registered yet.
  uint64_t needs_registers;
  // Bytes of exit data of the only ops (nophook_ops::exit_bytes). If there are several:
  // CALL_SUMS_EXIT_BYTES, and nophook_exit_bytes() gives the sum.
  int64_t exit_bytes;
};

// The state of one thread for grace periods. Only the thread writes `active` and `rounds`, its
// signal handlers included.
//
// `active` is 0 outside of callbacks, else the address of the frame of the outermost one: one
// store marks the thread and says which frame it is. A frame that finds it set is nested: in a
// signal handler, or by recursion.
struct CallbackThread {
  uint64_t active;
  uint64_t rounds; // the number of times that `active` has become 0
};

static_assert(offsetof(CallbackThread, active) == THREAD_ACTIVE);
static_assert(offsetof(CallbackThread, rounds) == THREAD_ROUNDS);
static_assert(offsetof(Call, func) == CALL_FUNC);
static_assert(offsetof(Call, ops) == CALL_OPS);
static_assert(offsetof(Call, needs_registers) == CALL_NEEDS_REGISTERS);
static_assert(offsetof(Call, exit_bytes) == CALL_EXIT_BYTES);
static_assert(offsetof(::ftrace_regs, general) == 0);
static_assert(offsetof(::ftrace_regs, direct) == REGS_DIRECT);
static_assert(offsetof(::ftrace_regs, id) == REGS_ID);
static_assert(offsetof(::ftrace_regs, has_all) == REGS_HAS_ALL);
static_assert(offsetof(::ftrace_regs, exit_area) == REGS_EXIT_AREA);
static_assert(offsetof(::ftrace_regs, exit_end) == REGS_EXIT_END);
static_assert(offsetof(::ftrace_regs, exits) == REGS_EXITS);
static_assert(offsetof(::ftrace_regs, can_exit) == REGS_CAN_EXIT);
static_assert(offsetof(::ftrace_regs, mark) == REGS_MARK);
static_assert(offsetof(::ftrace_regs, nested) == REGS_NESTED);
static_assert(sizeof(::ftrace_regs) == REGS_BYTES);

extern "C" {

// The calling thread's record; null until its first callback.
extern constinit thread_local CallbackThread *nophook_thread
    __attribute__((tls_model("initial-exec")));

// The callbacks to call, by function id; null: none. Published with release, read by trampolines.
extern Call **nophook_calls;

// Trampolines of callbacks; entered from thunks that a site has called.
void ftrace_caller();
void ftrace_regs_caller();
void ftrace_frame_caller(); // for a site behind the prologue
void ftrace_regs_frame_caller();
void ftrace_pushed_caller(); // for a site behind a push
void ftrace_regs_pushed_caller();
// The place where a function continues after ftrace_override_function_with_return(): it returns to
// the function's caller.
void nophook_just_return();

// The trampoline that also saves every general register, has room for exit data, and comes back
// when the function returns.
void ftrace_exit_caller();
// For functions that must not be called through: entry only.
void ftrace_exit_entry_caller();
void ftrace_exit_frame_caller(); // and behind the prologue
void ftrace_exit_pushed_caller();

// The target of the static calls of a module while one of its functions is traced (nophook/site.h).
void nophook_static_call();
enum : uint64_t { kKeptCallJumps = uint64_t{1} << 63 }; // in front of any address of a process
// The present target of the static call whose return address is `back`: an address, or 0; with
// kKeptCallJumps it is entered as by a jump instead of a call. Runs anywhere, without vector
// registers.
uint64_t nophook_static_call_target(uint64_t back);

// Return addresses of bodies that are called by ftrace_exit_caller; of bodies under
// function_graph's frame; of function_graph's thunks under ftrace_exit_caller's; and of bodies
// under the profiler's frame.
extern const char nophook_exit_return[], nophook_graph_return[], nophook_exit_graph_return[],
    nophook_profile_return[];
inline bool is_body_return(uint64_t address) {
  auto is = [&](const char *label) { return address == reinterpret_cast<uint64_t>(label); };
  return is(nophook_exit_return) || is(nophook_graph_return) || is(nophook_exit_graph_return) ||
         is(nophook_profile_return);
}

// Bytes of exit data for a call of the function, a multiple of 16.
uint64_t nophook_exit_bytes(const ::ftrace_regs *regs);
// Calls the exit handlers. `regs`: of the entry, with the registers of the return.
void nophook_exit_handlers(::ftrace_regs *regs);

// The slow path at a thread's first callback: makes its record, marked as active at `frame`; null
// if there is no memory.
CallbackThread *nophook_thread_first(uint64_t frame);
// The slow path of a thread that is active already. Takes over if the frame that made it active is
// gone.
void nophook_thread_nested(CallbackThread *thread, uint64_t frame);

// Calls body(context) with the stack pointer at `top`, a multiple of 16.
void nophook_switch_stack(void (*body)(void *), void *context, uint64_t top);
}

} // namespace nophook

#endif // __ASSEMBLER__
