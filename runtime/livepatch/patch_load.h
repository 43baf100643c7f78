// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library of patches is brought into the process from outside, and leaves it again.

#pragma once

#include "base/status.h"
#include "livepatch/fibers.h"
#include "livepatch/looks.h"

#include <stdint.h>

namespace nophook {

// Loads the library `path` (absolute, as this process sees it), whose constructor enables a patch.
// If it is loaded already, its patches that are disabled are enabled again. Runs the library's
// code; takes the runtime's lock and the loader's; not in a signal handler. A library that enables
// no patch is closed again. The sentence of an error holds until the next call.
// Errors: EINVAL: it is no absolute path; ENOSYS: the program is static; ENOEXEC: what the loader
// says; EEXIST: all its patches are enabled; EBUSY: it is being loaded by another thread; others:
// those of klp_enable_patch() if it is loaded already, else EINVAL.
Status load_patch_library(const char *path, uint64_t bytes);

// Closes the library that has, or had, the patch `name`, if its patches are disabled and each
// thread has been seen outside of it since. Each call looks at the threads that remain, once. Locks
// as above, and runs the library's destructors.
// Errors: ENOENT: there is none; EINVAL: a patch of it is enabled; EPERM: a transition of it was
// forced; EBUSY: its transition is under way, or threads remain to be seen outside: call again.
Status unload_patch_library(const char *name, uint64_t bytes);

// The threads that the last unload_patch_library() of this library has not seen outside.
// Under the runtime's lock.
void each_unseen_thread(void (*visit)(int32_t tid, void *context), void *context);
// Visits the fibers, likewise.
void each_unseen_fiber(void (*visit)(const FiberFacts &fiber, void *context), void *context);

// The same threads, for clients that stop them. Errors: ENOMEM.
Status visit_unseen_looks(const LookVisitor &visitor);

// A client has seen the thread outside of the code of `look`. False: there is no such look any
// more, or the thread is none of it. All under the runtime's lock.
bool forget_seen(uint64_t look, int32_t tid);

} // namespace nophook
