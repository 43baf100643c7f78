// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_map: names for our islands, where perf and its kin look for those of code that lies in no
// file: /tmp/perf-PID.map, a line `START SIZE NAME` for each. The trampolines themselves are
// symbols of the runtime's file.
//
// Who samples by address finds a thunk now and then, and without a name that is a hole in the
// profile just where tracing costs. The file stays when the process ends, as those of JITs do: perf
// reads it afterwards.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

// 1: tells of all islands, and from now on of each new one, in a fork child in its own file; 0: of
// no more. Lines are added to what another author, a JIT maybe, has written. Under the runtime's
// lock. Errors: EINVAL, EPERM (the file is not this user's), those of open and write.
Status set_perf_map(uint64_t on);
bool perf_map_is_on();

// There is an island more. If lines cannot be written, one in the log says so, and it is off. Under
// the runtime's lock.
void tell_perf();

} // namespace nophook
