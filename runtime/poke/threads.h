// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch's questions to the kernel about the process's threads. All of them are cold: they read
// /proc.

#pragma once

namespace nophook {

// Whether this thread is the only one, as the kernel counts them; false if it does not show that.
bool single_threaded();

// Whether a debugger traces this process with ptrace: it would get the traps first.
bool debugger_attached();

// The thread or child that an int3 of ours would kill, although the handler of SIGTRAP is
// installed: a static text, or null for none.
//
// One case is a thread that keeps SIGTRAP blocked. Many block it for a moment (libc, our own slow
// path): a thread counts if 100 looks find the signal blocked, and it sleeps or has run between
// them. The function waits for a thread that gets no processor, a minute at most. A hint: masks
// change.
//
// The other case is a child of vfork that was born before the handler was installed: it runs in our
// memory, but its handlers are a copy. Its parent sleeps in the call until the child has ended or
// called exec, and is waited for, five seconds at most. A thread that runs may be in that call in
// front of the sleep, so it is waited for until it has slept elsewhere, or has been in user mode.
// How long it has run proves nothing: that piece of the call takes 50 us of a CPU, but a virtual
// CPU may lose its real one there, and the time slice counts as the thread's. Children that are
// born since have the handler; `is_inherited`: all of them.
const char *killed_by_traps(bool is_inherited);

} // namespace nophook
