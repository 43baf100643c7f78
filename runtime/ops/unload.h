// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlclose and exit: the sites and callbacks that a module takes along.
//
// The obvious way is to turn all of its sites back into NOPs. In a process that exits that took 5
// ms for 4,579 functions, and ended OpenSSH's sandboxed child: its filter of system calls kills for
// membarrier and for an mprotect of text. The change is not needed. At exit the text stays, with
// the trampolines that it leads to; after dlclose there is no text. So no site is written.
//
// A module may also have callbacks: an ops or a probe whose function, handler or own memory lies in
// it. They are unregistered, because their module's destructors have run. At dlclose a line in the
// log reports that, and, as in unregister_ftrace_function(), the runtime waits for threads that are
// in a callback. At exit only data is changed, and there is no wait.

#pragma once

#include <nophook/site.h>

namespace nophook {

// Called by the last of the module's destructors. Takes the runtime's lock, and waits without it.
// Sites that hold another tool's bytes are reported.
void unload_module(const nophook_note *note);

// Makes exit known before the program's own destructors run, or where it has none. Called when the
// first callback is registered. False: no memory.
bool watch_exit();

} // namespace nophook
