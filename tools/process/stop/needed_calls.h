// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system calls that a process makes because it is attached to: the call from outside, the
// loader's, a new thread's, and the runtime's in any thread; and the calls that a traced process
// makes later.

#pragma once

#include "process/stop/seccomp_filter.h"

#include <span>
#include <string>

namespace nophook {

// Why a thread with these filters, and the threads that it makes, cannot serve, as a clause; empty:
// they can. `gets_copy`: it gets the library as a copy, in a memory file.
std::string why_filtered(std::span<const SeccompFilter> filters, bool gets_copy);

// Why a traced thread that has these filters by now must write no event: likewise.
std::string why_events_kill(std::span<const SeccompFilter> filters);

// Whether the filters allow restart_syscall, the kernel's own call by which a thread that was
// stopped in some calls with a timeout goes on.
bool may_go_on(std::span<const SeccompFilter> filters);

} // namespace nophook
