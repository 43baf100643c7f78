// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control tree's socket (nophook/control.h), served by a thread of our own.
//
// The thread has a descriptor table of its own: the program cannot close, inherit or count our
// descriptors, and none of the program's stays open because of us. It blocks all signals but those
// that libc and patching need.

#pragma once

#include "base/status.h"

namespace nophook {

// Starts the thread, which makes `folder`/NAMESPACE-PID.sock, as soon as a module that is loaded
// has sites: NOPHOOK=serve is exported to programs that have none. A fork child does not serve
// until it calls this itself, and a client may end it (NOPHOOK_CONTROL_LEAVE). Later failures are
// lines in the log. Not to be called by two threads at once. Errors: EALREADY, those of
// pthread_create.
Status serve(const char *folder);
// Whether the process serves, or begins to; in a fork child, whether its parent did.
bool is_serving();
bool serves_here(); // the same for this process alone

// Called when a module has come: the first one with sites starts the thread that serve() has
// requested.
Status serve_first_sites();

} // namespace nophook
