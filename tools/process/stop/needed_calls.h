// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system calls that a process makes because it is attached to: those of the call from outside,
// of the loader, of a new thread, and of the runtime in any thread; and those that a traced process
// makes later.

#pragma once

#include "process/stop/seccomp_filter.h"

#include <span>
#include <string>

namespace nophook {

// Why a thread with these filters, and threads that it makes, cannot serve: a clause about it;
// empty: nothing is against it. `gets_copy`: of the library, in a memory file.
std::string why_filtered(std::span<const SeccompFilter> filters, bool gets_copy);

// Why a thread that is traced, and has these filters by now, must write no event: likewise.
std::string why_events_kill(std::span<const SeccompFilter> filters);

// The kernel makes a thread that was stopped in some calls with a timeout go on by a call of its
// own (restart_syscall). Whether the filters let it.
bool may_go_on(std::span<const SeccompFilter> filters);

} // namespace nophook
