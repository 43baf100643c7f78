// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dlclose and exit: what a module takes with it.
//
// The obvious way is to turn all of its sites back into NOPs. In a process that exits that took
// 5 ms for 4,579 functions, and ended OpenSSH's sandboxed child: its filter of system calls kills
// for membarrier and for an mprotect of text. Nothing needs it. At exit the text stays, with the
// trampolines that it leads to; after dlclose there is no text. So no site is written.
//
// A module may also have callbacks: an ops or a probe whose function, handler or own memory lies in
// it. They are unregistered, because their module's destructors have run. At dlclose that is said
// by a line in the log, and, as in unregister_ftrace_function(), threads that are in a callback are
// waited for. At exit it is done by data alone, and nobody is waited for.

#pragma once

#include <nophook/site.h>

namespace nophook {

// From the last of the module's destructors. Takes the runtime's lock, and waits without it. Sites
// that hold another tool's bytes are reported.
void unload_module(const nophook_note *note);

// So that exit is known before the program's own destructors run, or where it has none. Called when
// the first callback is registered. False: no memory.
bool watch_exit();

} // namespace nophook
