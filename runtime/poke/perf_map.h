// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_map: names for our islands, in the file where perf and similar tools look for code that lies
// in no file: /tmp/perf-PID.map, a line `START SIZE NAME` for each. The trampolines themselves are
// symbols of the runtime's file.
//
// A sampling tool finds an address in a thunk now and then. Without a name, that is a hole in the
// profile exactly where tracing costs time. The file stays when the process ends, as those of JITs
// do: perf reads it afterwards.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

// 1: writes all islands, and from now on each new one; a fork child writes its own file. 0: writes
// no more. Lines are added to those of other writers, such as a JIT. Under the runtime's lock.
// Errors: EINVAL, EPERM (the file is not this user's), those of open and write.
Status set_perf_map(uint64_t on);
bool perf_map_is_on();

// Called when there is a new island. If lines cannot be written, one in the log reports it,
// and the map is off. Under the runtime's lock.
void tell_perf();

} // namespace nophook
