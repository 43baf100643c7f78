// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites of functions that auto_notrace leaves out. A callback learns that a function is called
// too often, but it cannot change a site: that takes the runtime's lock and system calls. It leaves
// a note, and from then on a call costs no more than the way to a callback that does nothing. The
// thread that serves clients takes the site out when it next looks at sites, and a setting that is
// written does so in a process that does not serve.

#pragma once

#include "base/status.h"
#include "tracers/trace_array.h"

namespace nophook {

// The array's tracer does without the functions that auto_notrace leaves out now, and takes back
// those that it leaves out no more. Under the lock. Errors: ENOMEM, those of update_sites.
Status leave_out_muted(trace_array &tr);

// The same for each array that leaves out more functions than at the last call. Without the lock,
// which it takes only then.
void leave_out_new_muted();

} // namespace nophook
