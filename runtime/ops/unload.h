// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dlclose: what a library takes with it.
//
// Its functions leave all filters and its sites become NOPs. It may also have callbacks: an ops or
// a probe whose function, handler or own memory lies in the library is unregistered, with a line in
// the log, before the loader unmaps it. As in unregister_ftrace_function(), this waits for threads
// that are in a callback.

#pragma once

#include <nophook/site.h>

namespace nophook {

// From the last of the module's destructors. Takes the runtime's lock, and waits without it.
void unload_module(const nophook_note *note);

// At exit nothing is unmapped, so no thread is waited for: one may sleep in a callback for ever.
// Called when the first callback is registered. False: no memory.
bool watch_exit();

} // namespace nophook
