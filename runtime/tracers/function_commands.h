// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands among the names of set_ftrace_filter: triggers and rates. Settings pass them on, and an
// array's start and end is theirs, too. Their layer, triggers/, is above this one and defines these
// functions (triggers/function_triggers.cpp). All are under the runtime's lock.

#pragma once

#include "base/status.h"
#include "ops/filter.h"

#include <stdint.h>

namespace nophook {

// Carries `token` out if it is a command of an array; else `*is_command` is false. A trigger that
// is taken away may still be running when this returns. `misses`: whether it may be of no function
// that is there so far. Errors: EINVAL, ENOMEM, those of update_sites.
Status change_function_commands(uint32_t array, const char *token, uint64_t bytes,
                                Filter::Misses misses, bool *is_command);

// Registers an array's that were set before there were modules.
Status start_function_triggers(uint32_t array);

// Logs the patterns of an array's that no function matches; `folder` is its.
void report_trigger_misses(uint32_t array, const char *folder);

} // namespace nophook
