// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dlclose: what a library takes with it.
//
// Its functions leave all filters and its sites become NOPs. And it may have callbacks: an ops or
// a probe whose function, handler or own memory lies in the library is unregistered, with a line in
// the log, before the loader unmaps them. A thread that is in a callback is waited for, as
// unregister_ftrace_function() would.

#pragma once

#include <nophook/site.h>

namespace nophook {

// From the last of the module's destructors. Takes the runtime's lock, and waits without it.
void unload_module(const nophook_note *note);

// At exit nothing is unmapped, and nobody is waited for: a thread may sleep in a callback for ever.
// Called when the first callback is registered. False: no memory.
bool watch_exit();

} // namespace nophook
