// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that was started without preparation, or whose runtime lies dormant, is made to serve
// its control tree.

#pragma once

#include "foundation/result.h"
#include "process/attach/target.h"

#include <chrono>
#include <cstdint>

namespace nophook {

// Nothing is done if the process serves already. Else one of its threads is stopped for some
// milliseconds and loads the runtime, or wakes it. Errors: one sentence why the process does not
// serve; it runs on as before.
Result<> serve_process(int32_t pid, TrustedFilter trust = TrustedFilter::kNo);

// The opposite: the process loses the runtime's thread, its socket and its descriptors. Errors:
// another client is connected, or the runtime is older.
Result<> put_to_sleep(int32_t pid);

} // namespace nophook
